import type { DaemonSettings } from './cli/daemon-settings.ts';

/** The code of parts that a node has only when its settings ask for them. */
export interface OptionalParts {
  readonly createMetrics: typeof import('./metrics/metrics.ts').createMetrics | undefined;
  readonly openNodePage: typeof import('./page/open-node-page.ts').openNodePage | undefined;
  readonly ZmqServer: typeof import('@monero-node/rpc/zmq').ZmqServer | undefined;
}

/**
 * Loads the optional parts that the settings ask for. The others are not loaded, because code takes memory and time to
 * start even if it never runs.
 */
export async function loadOptionalParts(
  settings: Pick<DaemonSettings, 'metrics' | 'rpc' | 'zmq'>,
): Promise<OptionalParts> {
  const { metrics, rpc, zmq } = settings;
  return {
    createMetrics: metrics && (await import('./metrics/metrics.ts')).createMetrics,
    openNodePage:
      rpc.page === 'none' ? undefined : (await import('./page/open-node-page.ts')).openNodePage,
    ZmqServer: zmq && (await import('@monero-node/rpc/zmq')).ZmqServer,
  };
}
