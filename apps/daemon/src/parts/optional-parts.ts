import { servesPage, type RpcOptions } from '@monero-node/rpc';
import type { DaemonSettings } from '../cli/daemon-settings.ts';

/** The code of parts that a node has only when its settings ask for them. */
export interface OptionalParts {
  readonly metrics: typeof import('../metrics/metrics.ts') | undefined;
  readonly page: typeof import('../page/open-node-page.ts') | undefined;
}

/**
 * Loads the optional parts that the settings ask for. The others are not loaded, because code takes memory and time to
 * start even if it never runs.
 */
export async function loadOptionalParts(
  settings: Pick<DaemonSettings, 'metrics' | 'rpc'>,
): Promise<OptionalParts> {
  const [metrics, page] = await Promise.all([
    settings.metrics && import('../metrics/metrics.ts'),
    isPageServed(settings.rpc) ? import('../page/open-node-page.ts') : undefined,
  ]);
  return { metrics, page };
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
