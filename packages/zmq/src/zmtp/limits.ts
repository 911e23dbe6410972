/** Bounds on the bytes, frames, time and number of peers. */
export interface ZmtpLimits {
  /** Bytes of one message, all frames together. */
  readonly messageBytes: number;
  /** Frames of one message. */
  readonly frames: number;
  /** Bytes of one command. */
  readonly commandBytes: number;
  /** Time for the handshake, for a message from its first to its last byte, and for a client that takes no bytes. */
  readonly timeoutMs: number;
  /** Connections at the same time; a new one replaces the one that has been idle longest. */
  readonly connections: number;
  /** Of them those of one host. */
  readonly connectionsPerHost: number;
  /** Bytes of incomplete and waiting messages, over all connections. */
  readonly receivedBytes: number;
}

export const ZMTP_LIMITS: ZmtpLimits = {
  messageBytes: 10 * 1024 * 1024,
  frames: 64,
  commandBytes: 1024,
  timeoutMs: 30_000,
  connections: 256,
  connectionsPerHost: 128,
  receivedBytes: 64 * 1024 * 1024,
};
