import { daemonArguments } from './daemonArguments';
import { settingsFile } from './fileModels/settings';
import { PORTS, TOR } from './ports';
import { sdk } from './sdk';

const MAIN = '/usr/lib/monero-node/node_modules/@monero-node/daemon/dist/main.js';
const CHAIN = '/var/lib/monero-node';

/** What GET /health/ready answers. */
interface Ready {
  readonly status: string;
  readonly height?: number;
  readonly target_height?: number;
}

/** Reads a path of the node, which answers those of /health without a login. */
const ask = (path: string) => fetch(`http://127.0.0.1:${PORTS.rpc}${path}`);

export const main = sdk.setupMain(async ({ effects }) => {
  // A change of any of these starts the node again.
  const settings = await settingsFile.read().const(effects);
  if (settings === null) throw new Error('settings.json is missing');
  const torProxy = await sdk.host
    .getBridgeAddress(effects, {
      packageId: TOR.packageId,
      hostId: TOR.hostId,
      internalPort: TOR.port,
      fallbackPort: TOR.port,
    })
    .const();
  const onion = await sdk.host
    .getOwn(effects, 'peers', (host) =>
      Object.values(host?.bindings ?? {})
        .flatMap(({ interfaces }) => Object.values(interfaces))
        .flatMap(
          ({ addressInfo }) => addressInfo?.public.filter({ pluginId: 'tor' }).hostnames ?? [],
        )
        .map(({ hostname }) => hostname)
        .at(0),
    )
    .const();
  const hostNames = await sdk.host
    .getOwn(effects, 'rpc', (host) =>
      Object.values(host?.bindings ?? {})
        .flatMap(({ interfaces }) => Object.values(interfaces))
        .flatMap(({ addressInfo }) => addressInfo?.hostnames ?? [])
        .map(({ hostname }) => hostname),
    )
    .const();
  const { login } = settings;

  const node = sdk.SubContainer.of(
    effects,
    { imageId: 'node' },
    sdk.Mounts.of().mountVolume({
      volumeId: 'chain',
      subpath: null,
      mountpoint: CHAIN,
      readonly: false,
    }),
    'node',
  );

  return sdk.Daemons.of(effects)
    .addOneshot('owner', {
      subcontainer: node,
      exec: { command: ['chown', 'monero-node:monero-node', CHAIN], user: 'root' },
      requires: [],
    })
    .addDaemon('node', {
      subcontainer: node,
      exec: {
        command: [
          'node',
          MAIN,
          '--non-interactive',
          '--data-dir',
          CHAIN,
          ...daemonArguments(settings, { torProxy, onion, hostNames: [...new Set(hostNames)] }),
        ],
        user: 'monero-node',
        env: {
          UV_THREADPOOL_SIZE: '12',
          ...(login && { RPC_LOGIN: `${login.username}:${login.password}` }),
        },
        // The newest blocks are written to the disk at the stop.
        sigtermTimeout: 300_000,
      },
      ready: {
        display: 'Node',
        gracePeriod: 600_000,
        fn: () =>
          sdk.healthCheck.checkWebUrl(effects, `http://127.0.0.1:${PORTS.rpc}/health/live`, {
            successMessage: 'The node answers',
            errorMessage: 'The node does not answer',
          }),
      },
      requires: ['owner'],
    })
    .addHealthCheck('synchronized', {
      ready: {
        display: 'Chain',
        fn: async () => {
          const response = await ask('/health/ready').catch(() => undefined);
          if (response === undefined) return { result: 'starting', message: 'The node starts' };
          const { status, height, target_height: target } = (await response.json()) as Ready;
          if (response.ok) return { result: 'success', message: `Synchronized, height ${height}` };
          return height !== undefined && target !== undefined && height < target
            ? { result: 'loading', message: `Block ${height} of ${target}` }
            : { result: 'loading', message: status };
        },
      },
      requires: ['node'],
    })
    .addHealthCheck('tor', {
      ready: {
        display: 'Tor',
        fn: () => {
          if (!settings.tor) return { result: 'disabled', message: 'Off in "Options"' };
          return onion === undefined
            ? {
                result: 'disabled',
                message: 'Add a Tor address to the interface "Peers" to be reached there',
              }
            : { result: 'success', message: `Peers reach this node at ${onion}:${PORTS.peers}` };
        },
      },
      requires: [],
    });
});
