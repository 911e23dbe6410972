import type { EventsStatus } from '@monero-node/events/publisher';

/** Returns a sentence, without its end, about what a node publishes at NATS. */
export function eventsSentence(status: EventsStatus): string {
  const { acknowledgedAt, backfill, isBehind, isConnected, lag, publishedHeight, server } = status;
  const position =
    lag === undefined
      ? 'the stream is not known yet'
      : publishedHeight === undefined
        ? `the stream is empty, ${lag} blocks behind`
        : `the stream ends with block ${publishedHeight}, ${isBehind ? 'of a chain with more work' : `${lag} behind`}`;
  const acknowledged =
    acknowledgedAt === undefined
      ? 'no block acknowledged since the start'
      : `last block acknowledged at ${new Date(acknowledgedAt * 1000).toISOString().slice(0, 19)}Z`;
  const requests = `${backfill.answered} requests for older blocks answered, ${backfill.refused} refused`;
  return [
    `${isConnected ? '' : 'not '}connected to ${server}`,
    position,
    acknowledged,
    backfill.isServing ? requests : `${requests}, and none can come in`,
  ].join(', ');
}
