import { exchange, type ExchangeOptions, type RawAnswer } from './raw-http.ts';
import type { ReplayRequest } from './request.ts';

/** After this a request is sent again, milliseconds. */
const PATIENCE_MS = 1200;
/** The same for a request that runs alone, milliseconds. */
const LONG_PATIENCE_MS = 30_000;

/**
 * Sends a request to monerod and returns its answer. monerod 0.18.0.0 never reads about one connection in a hundred, so
 * a request without an answer is sent again on another connection.
 *
 * A request that runs alone is sent again only after half a minute: monerod may still be busy with the first copy, and
 * would carry it out again after the requests that follow. With `/set_bootstrap_daemon` it makes a certificate first,
 * which takes up to several seconds.
 */
export async function askMonerod(
  port: number,
  request: ReplayRequest,
  options: ExchangeOptions,
): Promise<RawAnswer> {
  if (request.open === true) return exchange(port, request.bytes, options);
  const unread =
    request.alone === true
      ? { patience: LONG_PATIENCE_MS, tries: 1 }
      : { patience: PATIENCE_MS, tries: 3 };
  for (let tries = 0; tries < unread.tries; tries++) {
    const { patience } = unread;
    const answer = await exchange(port, request.bytes, { ...options, patience });
    if (answer.outcome !== 'silent') return answer;
  }
  return exchange(port, request.bytes, options);
}
