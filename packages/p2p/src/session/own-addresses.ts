import { formatPeerAddress, type NetAddress } from '../net/address.ts';
import { connectionLimitHost } from '../net/ip-address.ts';
import type { KnownPeer } from '../peers/list/known-peer.ts';

/** Addresses that are remembered; the one told longest ago is forgotten first. */
const MOST_ADDRESSES = 16;
/** Hosts that are counted for an address. */
const MOST_HOSTS = 16;
/** Hosts that must agree on an address: a single peer may say anything. */
const FEWEST_HOSTS = 2;

/** An address at which peers say that they have reached this node. */
export interface OwnAddress {
  /** `host:port`, IPv6 in brackets. */
  readonly address: string;
  /** Hosts that told it. */
  readonly hosts: number;
}

/**
 * The addresses at which others have reached this node. No message of Levin tells a node its address: a handshake names the port at
 * which it listens, and the other side connects back to the host that it sees. If the answer has the id of the handshake, the address
 * goes on its list of peers, with that id, and from there to others. An entry of a received list that has our id, which is random and new
 * with each start, is therefore an address of ours.
 * Source: handle_handshake and try_ping in src/p2p/net_node.inl
 */
export class OwnAddresses {
  /** The hosts that told each address. */
  readonly #tellers = new Map<string, Set<string>>();

  /** Notes the entries with our id in a list that a peer at `from` has sent. */
  heard(entries: readonly KnownPeer[], from: NetAddress): void {
    for (const { address } of entries) {
      const text = formatPeerAddress(address);
      const hosts = this.#tellers.get(text) ?? new Set();
      if (hosts.size < MOST_HOSTS) hosts.add(connectionLimitHost(from));
      this.#tellers.delete(text);
      this.#tellers.set(text, hosts);
    }
    for (const text of this.#tellers.keys()) {
      if (this.#tellers.size <= MOST_ADDRESSES) break;
      this.#tellers.delete(text);
    }
  }

  /** Returns the addresses that more than one host told, those told by most first. */
  list(): OwnAddress[] {
    return [...this.#tellers]
      .map(([address, { size }]) => ({ address, hosts: size }))
      .filter(({ hosts }) => hosts >= FEWEST_HOSTS)
      .sort((a, b) => b.hosts - a.hosts);
  }
}
