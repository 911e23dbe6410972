import { servesPage, type RpcOptions } from '@monero-node/rpc';
import type { DaemonSettings } from './cli/daemon-settings.ts';

/** The code of parts that a node has only when its settings ask for them. */
export interface OptionalParts {
  readonly createMetrics: typeof import('./metrics/metrics.ts').createMetrics | undefined;
  readonly EventPublisher:
    typeof import('@monero-node/events/publisher').EventPublisher | undefined;
  readonly openNodePage: typeof import('./page/open-node-page.ts').openNodePage | undefined;
}

/**
 * Loads the optional parts that the settings ask for. The others are not loaded, because code takes memory and time to
 * start even if it never runs.
 */
export async function loadOptionalParts(
  settings: Pick<DaemonSettings, 'metrics' | 'rpc' | 'events'>,
): Promise<OptionalParts> {
  const { metrics, rpc, events } = settings;
  return {
    createMetrics: metrics && (await import('./metrics/metrics.ts')).createMetrics,
    EventPublisher: events && (await import('@monero-node/events/publisher')).EventPublisher,
    openNodePage: isPageServed(rpc)
      ? (await import('./page/open-node-page.ts')).openNodePage
      : undefined,
  };
}

/** Returns whether any port serves the web page. */
export function isPageServed({
  page = 'owner',
  restrictedRpc = false,
  restrictedBindPort,
}: Pick<RpcOptions, 'page' | 'restrictedRpc' | 'restrictedBindPort'>): boolean {
  if (servesPage(page, restrictedRpc)) return true;
  return restrictedBindPort !== undefined && servesPage(page, true);
}
