import type { Caller } from '../scheduling/time-shares.ts';

/** The client that waits for an answer: at a socket of this process, or at a worker that passed its call on. */
export interface Origin {
  /** Address of the client whose request is answered. */
  readonly address: string;
  /** The client's host, with whose other connections it shares time and places. */
  readonly caller: Caller;
  /** Whether the client has left. */
  readonly isGone: boolean;
  /** Calls `listener` once, when the client leaves. Returns the function that takes the listener away. */
  onGone(listener: () => void): () => void;
  /** Ends the client's connection, or what this process knows of it. */
  cutOff(): void;
}
