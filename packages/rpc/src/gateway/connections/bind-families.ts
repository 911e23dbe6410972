import type { Logger } from '@monero-node/base';
import { RpcOptionsError } from '../../errors.ts';

/** Where a port listens over IPv4 and, when asked for, IPv6. */
export interface FamilyAddresses {
  readonly host: string;
  readonly hostV6: string;
  /** 0 lets the system choose one, which is then that of IPv6 too. */
  readonly port: number;
}

/** What {@link bindFamilies} is given besides the addresses. */
export interface FamilyRules {
  readonly useIpv6: boolean;
  /** Whether the port may do without IPv4. */
  readonly ignoreIpv4: boolean;
  /** Listens on one address and resolves to the port. */
  readonly bind: (host: string, port: number) => Promise<number>;
  readonly logger: Logger;
}

/**
 * Listens on one port over IPv4 and, when asked for, IPv6. Either may fail, but not both: that of IPv4 only when the options say so, as in
 * monerod (`epee::net_utils::boosted_tcp_server::init_server`). Resolves to the port. Throws RpcOptionsError when nothing is left to
 * listen on, and what `bind` rejects with.
 */
export async function bindFamilies(
  { host, hostV6, port }: FamilyAddresses,
  { useIpv6, ignoreIpv4, bind, logger }: FamilyRules,
): Promise<number> {
  const bound = await bind(host, port).catch((error: unknown) => {
    if (!ignoreIpv4) throw error;
    logger.warn(`RPC not on ${host}: ${(error as Error).message}`);
    return undefined;
  });
  if (!useIpv6) {
    if (bound === undefined) throw new RpcOptionsError(`RPC could not listen on ${host}.`);
    return bound;
  }
  const boundV6 = await bind(hostV6, bound ?? port).catch((error: unknown) => {
    if (bound === undefined) throw error;
    logger.warn(`RPC not on ${hostV6}: ${(error as Error).message}`);
    return bound;
  });
  return bound ?? boundV6;
}
