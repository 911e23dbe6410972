import type { TokenBucket } from '@monero-node/base';

/** The limits of both directions for all peer-to-peer traffic together. */
export interface RateLimiters {
  readonly up: TokenBucket;
  readonly down: TokenBucket;
}
