import { OPTIONAL, type OptionTable } from '@monero-node/base/options';
import { BUSY, RPC_ERROR } from '@monero-node/rpc-schema';
import {
  RpcAnswerError,
  RpcCallError,
  RpcConnectionError,
  type RpcConnectionErrorCode,
  RpcHttpError,
  RpcStatusError,
} from './errors.ts';

/** How often and after which pauses a call is tried again. */
export interface RetryOptions {
  /** Tries of a call at every node, the first one included; 3 by default. */
  readonly attempts?: number | undefined;
  /** Milliseconds: the pause before the second try is a random time up to this, 250 by default; the limit doubles each time. */
  readonly minDelay?: number | undefined;
  /** Milliseconds: no pause is longer; 10,000 by default. */
  readonly maxDelay?: number | undefined;
}

/** The names of {@link RetryOptions}. */
export const RETRY: OptionTable<RetryOptions> = {
  attempts: OPTIONAL,
  minDelay: OPTIONAL,
  maxDelay: OPTIONAL,
};

/** How calls are tried again. */
export interface RetryRule {
  readonly attempts: number;
  readonly minDelay: number;
  readonly maxDelay: number;
}

/** Every call is tried once. */
const ONCE: RetryRule = { attempts: 1, minDelay: 0, maxDelay: 0 };
const MOST_ATTEMPTS = 100;
const LONGEST_DELAY = 3_600_000;

/** Returns the rule of options, without which nothing is tried again. Throws RangeError for numbers out of bounds. */
export function retryRule(options: RetryOptions | undefined): RetryRule {
  if (options === undefined) return ONCE;
  const { attempts = 3, minDelay = 250, maxDelay = 10_000 } = options;
  if (!Number.isSafeInteger(attempts) || attempts < 1 || attempts > MOST_ATTEMPTS) {
    throw new RangeError(`retry.attempts is 1 to ${MOST_ATTEMPTS}, not ${attempts}`);
  }
  for (const [name, value] of Object.entries({ minDelay, maxDelay })) {
    if (!(value >= 0 && value <= LONGEST_DELAY)) {
      throw new RangeError(`retry.${name} is 0 to ${LONGEST_DELAY} milliseconds, not ${value}`);
    }
  }
  return { attempts, minDelay, maxDelay };
}

/**
 * Returns the pause before a try, milliseconds: a random time below a limit that doubles, so that clients which failed together do not
 * come back together.
 *
 * @param tries how many there were, 1 or more
 */
export function retryDelay({ minDelay, maxDelay }: RetryRule, tries: number): number {
  return Math.random() * Math.min(maxDelay, minDelay * 2 ** (tries - 1));
}

/** Nothing was sent. */
const UNSENT: ReadonlySet<RpcConnectionErrorCode> = new Set(['refused', 'unknown-host']);
const PASSING: ReadonlySet<RpcConnectionErrorCode> = new Set([
  'timeout',
  'refused',
  'unknown-host',
  'closed',
  'failed',
]);
/** Too many requests, and what proxies say of a server that is away. */
const PASSING_STATUSES: ReadonlySet<number> = new Set([429, 502, 503, 504]);

/** Returns whether a node said that it is too busy, and did nothing. */
function isBusy(error: unknown): boolean {
  if (error instanceof RpcStatusError) return error.status === BUSY;
  return error instanceof RpcCallError && error.code === RPC_ERROR.busy;
}

/** Returns whether the same node may answer a call that failed so if it is asked again. */
export function mayPass(error: unknown, isRepeatable: boolean): boolean {
  if (isBusy(error)) return true;
  if (error instanceof RpcConnectionError) {
    return (isRepeatable ? PASSING : UNSENT).has(error.code);
  }
  return isRepeatable && error instanceof RpcHttpError && PASSING_STATUSES.has(error.status);
}

/** Returns whether another node may answer a call that failed so. */
export function mayAnswerElsewhere(error: unknown, isRepeatable: boolean): boolean {
  if (mayPass(error, isRepeatable)) return true;
  if (error instanceof RpcConnectionError && error.code === 'certificate') return true;
  return isRepeatable && error instanceof RpcAnswerError;
}
