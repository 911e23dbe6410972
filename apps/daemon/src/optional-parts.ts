import type { DaemonSettings } from './cli/daemon-settings.ts';

/** The code of parts that a node has only when its settings ask for them. */
export interface OptionalParts {
  readonly metrics: typeof import('./metrics/metrics.ts') | undefined;
  readonly page: typeof import('./page/open-node-page.ts') | undefined;
  readonly zmq: typeof import('@monero-node/rpc/zmq') | undefined;
}

/**
 * Loads the optional parts that the settings ask for. The others are not loaded, because code takes memory and time to
 * start even if it never runs.
 */
export async function loadOptionalParts(
  settings: Pick<DaemonSettings, 'metrics' | 'rpc' | 'zmq'>,
): Promise<OptionalParts> {
  return {
    metrics: settings.metrics && (await import('./metrics/metrics.ts')),
    page: settings.rpc.page === 'none' ? undefined : await import('./page/open-node-page.ts'),
    zmq: settings.zmq && (await import('@monero-node/rpc/zmq')),
  };
}
