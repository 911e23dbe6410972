import type { Network } from '@monero-node/consensus';
import type { P2pOptions } from '../options/options.ts';
import { noResolver, systemResolver } from './seeds.ts';
import type { Resolver } from './seeds.ts';

type NameOptions = Pick<P2pOptions, 'dnsBlocklist' | 'proxy' | 'proxyAllowDnsLeaks' | 'useIpv6'>;

/** Behind a proxy the DNS, which would be asked past it, is only asked when that was allowed. */
function mayAskDns({ proxy, proxyAllowDnsLeaks }: NameOptions): boolean {
  return proxy === undefined || proxyAllowDnsLeaks === true;
}

/** How names of peers are looked up: as given, or by the system. */
export function resolverFor(options: NameOptions, given: Resolver | undefined): Resolver {
  if (!mayAskDns(options)) return noResolver;
  return given ?? systemResolver({ ipv6: options.useIpv6 ?? false });
}

/** The ban lists in the DNS that are to be asked. */
export function blocklistNames(options: NameOptions, network: Network): readonly string[] {
  return options.dnsBlocklist && mayAskDns(options) ? network.blockListHosts : [];
}
