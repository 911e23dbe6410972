import type { RpcOptions } from '@monero-node/rpc';
import { isLoopback } from '@monero-node/rpc/settings';
import { UsageError } from './option-types.ts';
import type { OptionReader } from './option-reader.ts';

/** Cores from which a public node has workers by default: with fewer, they would take the main process's time. */
const FEWEST_CORES = 4;
/** Most workers by default. Each has caches and reads of its own, about 100 MB. */
const MOST_BY_DEFAULT = 8;

/** The addresses on which the RPC listens. */
type Listeners = Pick<
  RpcOptions,
  | 'bindIp'
  | 'restrictedBindIp'
  | 'restrictedBindPort'
  | 'useIpv6'
  | 'bindIpv6Address'
  | 'restrictedBindIpv6Address'
>;

/** Whether another machine can reach the RPC. */
function isPublic(rpc: Listeners): boolean {
  const restricted = rpc.restrictedBindPort !== undefined;
  const hosts = [
    rpc.bindIp,
    restricted ? rpc.restrictedBindIp : undefined,
    rpc.useIpv6 === true ? rpc.bindIpv6Address : undefined,
    restricted && rpc.useIpv6 === true ? rpc.restrictedBindIpv6Address : undefined,
  ];
  return hosts.some((host) => host !== undefined && !isLoopback(host));
}

/**
 * Returns the number of processes that answer RPC calls; by default one for two cores, at most 8, on a machine with four or more
 * whose RPC other machines can reach, otherwise 0.
 *
 * Throws UsageError for a number above 0 on Windows.
 */
export function rpcWorkers(
  values: OptionReader,
  rpc: Listeners,
  { cores, platform }: { readonly cores: number; readonly platform: NodeJS.Platform },
): number {
  const isWindows = platform === 'win32';
  const isWorthIt = !isWindows && cores >= FEWEST_CORES && isPublic(rpc);
  const count = values.number(
    'rpc-workers',
    isWorthIt ? Math.min(MOST_BY_DEFAULT, Math.floor(cores / 2)) : 0,
  );
  if (count > 0 && isWindows) throw new UsageError('--rpc-workers does not work on Windows');
  return count;
}
