import { availableParallelism } from 'node:os';
import { isLoopback, type RpcOptions } from '@monero-node/rpc';
import { UsageError } from './option-types.ts';
import type { OptionReader } from './option-reader.ts';

/** The machine that the node runs on. */
export interface Machine {
  readonly cores: number;
  readonly platform: NodeJS.Platform;
}

const here = (): Machine => ({ cores: availableParallelism(), platform: process.platform });

/**
 * Returns the number of processes that answer RPC calls. By default half the cores when a port listens on other addresses than
 * loopback, and none on a machine of two cores or less: there the processes would take each other's time.
 *
 * Throws UsageError for a number above 0 on Windows.
 */
export function rpcWorkers(values: OptionReader, rpc: RpcOptions, machine = here()): number {
  const canHave = machine.platform !== 'win32';
  if (values.has('rpc-workers')) {
    const count = values.number('rpc-workers', 0);
    if (count > 0 && !canHave) throw new UsageError('--rpc-workers does not work on Windows');
    return count;
  }
  if (!canHave || machine.cores <= 2 || !isPublic(rpc)) return 0;
  return Math.floor(machine.cores / 2);
}

/** Returns whether a port listens on other addresses than loopback. */
function isPublic({ bindIp, restrictedBindIp, restrictedBindPort, ...v6 }: RpcOptions): boolean {
  const { useIpv6 = false, bindIpv6Address, restrictedBindIpv6Address } = v6;
  const addresses = [bindIp, useIpv6 ? bindIpv6Address : undefined];
  if (restrictedBindPort !== undefined)
    addresses.push(restrictedBindIp, useIpv6 ? restrictedBindIpv6Address : undefined);
  return addresses.some((address) => address !== undefined && !isLoopback(address));
}
