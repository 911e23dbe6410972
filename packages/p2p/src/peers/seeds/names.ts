import type { Network } from '@monero-node/consensus';
import type { P2pOptions } from '../../options/options.ts';
import { noResolver, systemResolver } from './seeds.ts';
import type { Resolver } from './seeds.ts';

type NameOptions = Pick<P2pOptions, 'dnsBlocklist' | 'proxy' | 'proxyAllowDnsLeaks' | 'useIpv6'>;

/** DNS queries bypass a proxy, so with a proxy they need permission. */
function mayAskDns({ proxy, proxyAllowDnsLeaks }: NameOptions): boolean {
  return proxy === undefined || proxyAllowDnsLeaks === true;
}

/** Returns the resolver for peers' names: none without permission, else the given one or the system's. */
export function resolverFor(options: NameOptions, given: Resolver | undefined): Resolver {
  if (!mayAskDns(options)) return noResolver;
  return given ?? systemResolver({ ipv6: options.useIpv6 ?? false });
}

/** Returns the names of the ban lists in the DNS that may be queried. */
export function blocklistNames(options: NameOptions, network: Network): readonly string[] {
  return options.dnsBlocklist && mayAskDns(options) ? network.blockListHosts : [];
}
