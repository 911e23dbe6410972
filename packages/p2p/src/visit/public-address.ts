import { BlockList } from 'node:net';
import type { NetAddress } from '../net/address.ts';
import { unmapped } from '../net/ip-address.ts';

/** Networks in which no node is: this network, multicast and reserved. Source: RFC 6890. */
function networksWithoutNodes(): BlockList {
  const list = new BlockList();
  list.addSubnet('0.0.0.0', 8);
  list.addSubnet('224.0.0.0', 3);
  return list;
}

/**
 * Networks without public nodes that monerod takes for public: shared addresses of providers, link-local addresses (where
 * clouds offer secrets to their machines), measurements, and private IPv6 addresses.
 * Source: RFC 6890.
 */
function networksWithoutPublicNodes(): BlockList {
  const list = new BlockList();
  list.addSubnet('100.64.0.0', 10);
  list.addSubnet('169.254.0.0', 16);
  list.addSubnet('198.18.0.0', 15);
  list.addSubnet('fc00::', 7, 'ipv6');
  return list;
}

const WITHOUT_NODES = networksWithoutNodes();
const WITHOUT_PUBLIC_NODES = networksWithoutPublicNodes();

/** Returns whether a node may be at an address; with `allowPrivate` also one of a private network. Names and hidden services always may. */
export function mayHoldNode(
  address: NetAddress,
  { allowPrivate = false }: { readonly allowPrivate?: boolean } = {},
): boolean {
  const plain = unmapped(address);
  if (plain.kind !== 'ipv4' && plain.kind !== 'ipv6') return true;
  if (WITHOUT_NODES.check(plain.host, plain.kind)) return false;
  return allowPrivate || !WITHOUT_PUBLIC_NODES.check(plain.host, plain.kind);
}
