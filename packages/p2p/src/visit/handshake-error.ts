/**
 * Why a node did not introduce itself: its name is unknown or it accepts no connection (`unreachable`), the connection or
 * the time ended before an answer came, also because of bytes that are no messages (`no-answer`), its answer cannot be read
 * (`bad-answer`), or it belongs to another network (`other-network`).
 */
export type HandshakeErrorCode = 'unreachable' | 'no-answer' | 'bad-answer' | 'other-network';

/** A handshake that failed. The message has the address and the reason. */
export class HandshakeError extends Error {
  override readonly name = 'HandshakeError';
  readonly code: HandshakeErrorCode;
  /** `host:port` of the node. */
  readonly address: string;

  constructor(code: HandshakeErrorCode, address: string, reason: string, options?: ErrorOptions) {
    super(`${address}: ${reason}`, options);
    this.code = code;
    this.address = address;
  }
}
