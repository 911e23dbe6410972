/** The answer to an invoke: a return code (above 0 is success) and a body. */
export interface LevinAnswer {
  readonly returnCode: number;
  readonly body: Uint8Array;
}

/**
 * Handles the messages of a connection, one at a time: nothing more is read while a returned promise is pending. So a
 * handler must not wait for an invoke on its own connection.
 */
export interface LevinHandler {
  onInvoke(command: number, body: Uint8Array): LevinAnswer | Promise<LevinAnswer>;
  onNotify(command: number, body: Uint8Array): void | Promise<void>;
  onClose(reason: string): void;
  /** Whether a message of that command is wanted; any other closes the connection before its body is received. */
  accepts?(command: number): boolean;
  /** The peer has sent more messages than allowed for too long; the connection is closed next. */
  onExhausted?(reason: string): void;
}
