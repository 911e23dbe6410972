import { Subnets } from '../hosts/index.ts';
import type { NetAddress } from '../net/address.ts';
import { toIp } from '../net/ip-address.ts';

/** Networks in which no node is: this network, multicast and reserved. Source: RFC 6890. */
const WITHOUT_NODES = Subnets.of('0.0.0.0/8', '224.0.0.0/3');
/**
 * Networks without public nodes that monerod takes for public: shared addresses of providers, link-local addresses (where
 * clouds offer secrets to their machines), measurements, and private IPv6 addresses.
 * Source: RFC 6890.
 */
const WITHOUT_PUBLIC_NODES = Subnets.of(
  '100.64.0.0/10',
  '169.254.0.0/16',
  '198.18.0.0/15',
  'fc00::/7',
);

/** Returns whether a node may be at an address; with `allowPrivate` also one of a private network. Names and hidden services always may. */
export function mayHoldNode(
  address: NetAddress,
  { allowPrivate = false }: { readonly allowPrivate?: boolean } = {},
): boolean {
  const ip = toIp(address);
  if (ip === undefined) return true;
  return !WITHOUT_NODES.has(ip) && (allowPrivate || !WITHOUT_PUBLIC_NODES.has(ip));
}
