import type { IncomingHttpHeaders } from 'node:http';
import type { Caller } from '../scheduling/time-shares.ts';

/** A request that is let in, whichever process has read it. */
export interface CallRequest {
  readonly verb: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Uint8Array;
  /** Whether a web page of an origin that is not allowed has made the request. */
  readonly fromForeignPage: boolean;
}

/** The client that waits for an answer: at a socket of this process, or at a worker that passed its call on. */
export interface Origin {
  /** Address of the client whose request is answered. */
  readonly address: string;
  /** The client's host, with whose other connections it shares time and slots. */
  readonly caller: Caller;
  /** Whether the client has left. */
  readonly isGone: boolean;
  /** Calls `listener` once, when the client leaves. Returns the function that takes the listener away. */
  onGone(listener: () => void): () => void;
  /** Ends the client's connection, or what this process knows of it. */
  cutOff(): void;
}

/** A request and the client that waits for its answer. */
export interface ClientRequest {
  readonly request: CallRequest;
  readonly origin: Origin;
}
