import type { CallRequest, Origin } from './call-request.ts';
import type { Reply } from './answers/reply.ts';

/** The process that answers what a worker cannot. */
export interface MainProcess {
  /** Whether it has to answer every call at present. */
  readonly takesAll: boolean;
  /**
   * Rejects with AbandonedCallError when it cuts the answer off, and when the client leaves: then the main process gives up the
   * call too.
   */
  pass(request: CallRequest, origin: Origin): Promise<Reply>;
}
