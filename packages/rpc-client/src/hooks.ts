import { OPTIONAL, type OptionTable } from '@monero-node/base/options';

/** One try of a call at one node. */
export interface CallAttempt {
  /** Counts the calls of this client from 1. All tries of a call have the same number. */
  readonly call: number;
  /** The JSON-RPC method, such as `get_info`, or the path, such as `/get_height`. */
  readonly name: string;
  /** Where it is sent: scheme, host and port, or what a transport calls itself. */
  readonly node: string;
  /** Counts the tries of the call from 1, at whichever node. */
  readonly attempt: number;
}

/** A request that is about to be sent. */
export interface CallRequest extends CallAttempt {
  /** Size of its body, bytes. */
  readonly bytes: number;
}

/** An answer that was read, and is not an error. */
export interface CallResponse extends CallAttempt {
  /** Since the request, the wait for a turn included. */
  readonly milliseconds: number;
  /** Size of its body, bytes. */
  readonly bytes: number;
}

/** A try that failed. */
export interface CallFailure extends CallAttempt {
  /** Since the request, the wait for a turn included. */
  readonly milliseconds: number;
  /** What the call rejects with if nothing follows: a subclass of RpcError, or the reason of its signal. */
  readonly error: unknown;
  /** What follows: the next node at once, another try after a pause, or nothing, so that the call rejects. */
  readonly next: 'other-node' | 'retry' | 'rejects';
}

/**
 * Functions that are told of every try, for logs and figures. They run before the call goes on, so they should be quick. What one throws
 * ends its call. They get neither parameters nor answers: those may be secret, and large.
 */
export interface CallHooks {
  readonly onRequest?: ((request: CallRequest) => void) | undefined;
  readonly onResponse?: ((response: CallResponse) => void) | undefined;
  readonly onError?: ((failure: CallFailure) => void) | undefined;
}

/** The names of the hooks. */
export const CALL_HOOKS: OptionTable<CallHooks> = {
  onRequest: OPTIONAL,
  onResponse: OPTIONAL,
  onError: OPTIONAL,
};
