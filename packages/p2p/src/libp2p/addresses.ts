import type { Multiaddr } from '@multiformats/multiaddr';
import { unmapped } from '../net/ip-address.ts';
import { ipAddress } from '../net/parse-address.ts';
import type { NetAddress } from '../net/address.ts';

/** Returns the address of a libp2p peer, whose host is its id as text. */
export function peerAddress(id: { toString(): string }): NetAddress {
  return { kind: 'libp2p', host: id.toString(), port: 0 };
}

/** Returns whether an address is one of WebSocket. */
export function isWebSocket(address: Multiaddr): boolean {
  return address.getComponents().some(({ name }) => name === 'ws' || name === 'wss');
}

/** Returns the IP address and port at the start of a multiaddress; undefined if it starts with a name. */
export function ipOf(address: Multiaddr): NetAddress | undefined {
  const [ip, tcp] = address.getComponents();
  const found = ipAddress(ip?.value ?? '', Number(tcp?.value ?? 0));
  return found && unmapped(found);
}
