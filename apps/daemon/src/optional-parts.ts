import type { P2pOptions } from '@monero-node/p2p';
import { servesPage, type RpcOptions } from '@monero-node/rpc';
import type { DaemonSettings } from './cli/daemon-settings.ts';

/** The code of parts that a node has only when its settings ask for them. */
export interface OptionalParts {
  readonly createMetrics: typeof import('./metrics/metrics.ts').createMetrics | undefined;
  readonly EventPublisher:
    typeof import('@monero-node/events/publisher').EventPublisher | undefined;
  readonly SeedServer: typeof import('./seed/seed-server.ts').SeedServer | undefined;
  readonly Webhook: typeof import('./alerts/webhook.ts').Webhook | undefined;
  readonly openNodePage: typeof import('./page/open-node-page.ts').openNodePage | undefined;
}

/**
 * Loads the optional parts that the settings ask for, before a node is built, so that none is missing later and nobody's
 * request waits for it. The others are not loaded, because code takes memory and time to start even if it never runs.
 *
 * Rejects with Error, which names the option, when the code of a part is missing or damaged.
 */
export async function loadOptionalParts(
  settings: Pick<DaemonSettings, 'metrics' | 'rpc' | 'events' | 'seedServer'> & {
    readonly alerts: Pick<DaemonSettings['alerts'], 'webhook'>;
    readonly p2p: PeerProxies;
  },
): Promise<OptionalParts> {
  const { metrics, rpc, events, seedServer, alerts, p2p } = settings;
  if (usesSocks(p2p, rpc)) {
    const { loadSocks } = await import('@monero-node/p2p/socks');
    await loaded('SOCKS proxies', loadSocks());
  }
  return {
    createMetrics:
      metrics &&
      (await loaded('--metrics-bind-port', import('./metrics/metrics.ts'))).createMetrics,
    EventPublisher:
      events && (await loaded('--events', import('@monero-node/events/publisher'))).EventPublisher,
    SeedServer:
      seedServer && (await loaded('--seed-bind-port', import('./seed/seed-server.ts'))).SeedServer,
    Webhook:
      alerts.webhook && (await loaded('--alert-webhook', import('./alerts/webhook.ts'))).Webhook,
    openNodePage: isPageServed(rpc)
      ? (await loaded('--rpc-page', import('./page/open-node-page.ts'))).openNodePage
      : undefined,
  };
}

/** Returns the code of a part. Rejects with Error, which names what needs it, when it cannot be loaded. */
async function loaded<Code>(user: string, code: Promise<Code>): Promise<Code> {
  try {
    return await code;
  } catch (error) {
    throw new Error(
      `code for ${user} cannot be loaded, install the node again: ${(error as Error).message}`,
      { cause: error },
    );
  }
}

/** The options of the peer-to-peer network that name proxies. */
type PeerProxies = Pick<P2pOptions, 'proxy' | 'anonymityZones'>;

/** Returns whether any connection may go through a SOCKS proxy that the options name. */
function usesSocks({ proxy, anonymityZones = [] }: PeerProxies, rpc: RpcOptions): boolean {
  const proxies = [
    proxy,
    rpc.proxy,
    rpc.bootstrapDaemon?.proxy,
    ...anonymityZones.map((zone) => zone.proxy),
  ];
  return proxies.some((each) => each !== undefined);
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
