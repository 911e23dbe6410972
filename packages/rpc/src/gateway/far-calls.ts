import type { IncomingHttpHeaders } from 'node:http';
import type { Reply } from './reply.ts';

/** A request that another process is to answer. */
export interface FarRequest {
  readonly verb: string;
  readonly url: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Uint8Array;
  /** Address of the client. */
  readonly address: string;
  readonly fromForeignPage: boolean;
}

/** The part of a client's connection that shows when it ends. */
export interface ClientEnd {
  readonly destroyed: boolean;
  once(event: 'close', listener: () => void): unknown;
  off(event: 'close', listener: () => void): unknown;
}

/** The process that answers what a worker cannot. */
export interface FarCalls {
  /** Whether it has to answer every call at present. */
  readonly takesAll: boolean;
  /**
   * Rejects with AbandonedCallError when it cuts the answer off, and when the client leaves: then the other process gives up the
   * call too.
   */
  pass(request: FarRequest, client: ClientEnd): Promise<Reply>;
}
