import { FairScheduler } from '@monero-node/base';

/** Milliseconds that the short messages of all peers together may take in each round of the event loop. */
const ROUND_MS = 5;

/** Returns what shares the event loop between connections. */
export function newTurns(): FairScheduler {
  return new FairScheduler({ roundMs: ROUND_MS });
}
