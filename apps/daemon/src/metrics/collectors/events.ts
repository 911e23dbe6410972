import type { EventsStatus } from '@monero-node/events/publisher';
import { setTotals, type Instruments } from '../instruments.ts';
import type { Collector } from './collector.ts';

/** Something that publishes events. */
export interface EventsSource {
  readonly status: EventsStatus;
}

/** Returns the collector of the figures about events on NATS. All are 0 while none are published. */
export function eventsCollector(
  metrics: Instruments['events'],
  events: EventsSource | undefined,
): Collector {
  return () => {
    const status = events?.status;
    const { isConnected = false, isBehind = false, acknowledgedAt = 0 } = status ?? {};
    const { isServing = false, answered = 0, refused = 0 } = status?.backfill ?? {};
    const unknown = status === undefined ? 0 : NaN;
    metrics.connected.set(Number(isConnected));
    metrics.failing.set(Number(status?.problem !== undefined));
    metrics.behind.set(Number(isBehind));
    metrics.published.set(status?.publishedHeight ?? unknown);
    metrics.lag.set(status?.lag ?? unknown);
    metrics.acknowledged.set(acknowledgedAt);
    metrics.serving.set(Number(isServing));
    setTotals(metrics.made, [[{}, status?.streamsMade ?? 0]]);
    setTotals(metrics.requests, [
      [{ result: 'answered' }, answered],
      [{ result: 'refused' }, refused],
    ]);
  };
}
