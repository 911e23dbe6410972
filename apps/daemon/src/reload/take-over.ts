import { isDeepStrictEqual } from 'node:util';
import type { P2pNode } from '@monero-node/p2p';
import type { RpcServer } from '@monero-node/rpc';
import type { BanListKeeper } from '../bans/ban-list-keeper.ts';
import type { DaemonSettings } from '../cli/daemon-settings.ts';
import { readLogLevels } from '../cli/process-settings.ts';
import type { OptionName } from '../cli/options/options.ts';
import type { LogLevels } from '../log/log-levels.ts';

/** The parts of a running node whose settings can change. */
export interface LiveParts {
  readonly levels: Pick<LogLevels, 'set'>;
  readonly p2p: Pick<
    P2pNode,
    'setOutPeers' | 'setInPeers' | 'setLimits' | 'setMaxConnectionsPerIp' | 'replacePeers'
  >;
  readonly rpc: Pick<RpcServer, 'prepare'>;
  readonly bans: Pick<BanListKeeper, 'change'>;
}

/** Options of the RPC that a running node takes over. */
const RPC_OPTIONS: readonly OptionName[] = [
  'restricted-rpc',
  'disable-rpc-ban',
  'rpc-max-connections-per-public-ip',
  'rpc-max-connections-per-private-ip',
  'rpc-max-connections',
  'rpc-response-soft-limit',
  'rpc-trusted-proxy',
];
const PEER_OPTIONS: readonly OptionName[] = ['add-peer', 'add-priority-node', 'add-exclusive-node'];

/** Takes settings over. Resolves with sentences about what only turned out then. */
export type TakeOver = () => Promise<string[]>;

/**
 * Checks the settings that a running node shall take over as far as its parts check them. Returns the function that has the parts
 * take over what has changed, which does not fail.
 *
 * Throws UsageError or RpcOptionsError.
 *
 * @param changed the names of the options whose values have changed
 */
export function prepareTakeOver(
  { levels, p2p, rpc, bans }: LiveParts,
  { before, after }: { readonly before: DaemonSettings; readonly after: DaemonSettings },
  changed: ReadonlySet<string>,
): TakeOver {
  const has = (...names: readonly OptionName[]): boolean => names.some((name) => changed.has(name));
  const { categories } = readLogLevels(after.logLevel);
  const takeRpc = rpc.prepare({
    restrictedRpc: after.rpc.restrictedRpc,
    disableRpcBan: after.rpc.disableRpcBan,
    maxConnectionsPerPublicIp: after.rpc.maxConnectionsPerPublicIp,
    maxConnectionsPerPrivateIp: after.rpc.maxConnectionsPerPrivateIp,
    maxConnections: after.rpc.maxConnections,
    responseSoftLimit: after.rpc.responseSoftLimit,
    trustedProxies: after.rpc.trustedProxies,
  });
  return async () => {
    if (has('log-level')) levels.set(categories);
    if (has('out-peers')) p2p.setOutPeers(after.p2p.outPeers);
    if (has('in-peers')) p2p.setInPeers(after.p2p.inPeers);
    if (has('max-connections-per-ip')) p2p.setMaxConnectionsPerIp(after.p2p.maxConnectionsPerIp);
    takeRates(p2p, before, after);
    if (has(...RPC_OPTIONS)) takeRpc();
    if (has(...PEER_OPTIONS)) await p2p.replacePeers(after.p2p);
    return await takeBanList(bans, before, after);
  };
}

/** Sets only a limit that has changed: the other one may have been set on the console since. */
function takeRates(p2p: LiveParts['p2p'], before: DaemonSettings, after: DaemonSettings): void {
  const { limitRateUp, limitRateDown } = after.p2p;
  if (limitRateUp !== before.p2p.limitRateUp) p2p.setLimits({ up: limitRateUp });
  if (limitRateDown !== before.p2p.limitRateDown) p2p.setLimits({ down: limitRateDown });
}

/** The file of the ban list may have changed while its path has not. A list that is downloaded has lines of its own in the log. */
async function takeBanList(
  bans: LiveParts['bans'],
  before: DaemonSettings,
  after: DaemonSettings,
): Promise<string[]> {
  const old = before.p2p.banList ?? [];
  const lines = after.p2p.banList ?? [];
  const isSame = lines.length === old.length && lines.every((line, i) => line === old[i]);
  if (isSame && isDeepStrictEqual(before.banListUrl, after.banListUrl)) return [];
  const counts = await bans.change(after.banListUrl, lines);
  if (counts === undefined) return [];
  return [`ban-list ${counts.before} -> ${counts.after} hosts and subnets`];
}
