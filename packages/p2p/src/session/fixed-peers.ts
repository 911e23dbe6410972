import { formatPeerAddress, sameAddress } from '../net/address.ts';
import type { NetAddress } from '../net/address.ts';
import type { AddressBook } from '../peers/seeds/address-book.ts';
import { banNotice, type BanList } from '../peers/bans/bans.ts';
import type { PeerSet } from '../peers/peer-set.ts';

/** A peer that the user named, and whether it is connected. */
export interface FixedPeerInfo {
  /** As the user wrote it. */
  readonly text: string;
  readonly kind: 'exclusive' | 'priority';
  readonly connected: boolean;
  /** Why it is not connected; undefined when it is, or when no attempt has ended. */
  readonly trouble?: string;
}

export interface FixedPeersDependencies {
  readonly book: Pick<AddressBook, 'exclusive' | 'priority'>;
  readonly peers: PeerSet;
  readonly bans: BanList;
}

/** Remembers why the exclusive and priority peers could not be reached. */
export class FixedPeers {
  readonly #deps: FixedPeersDependencies;
  /** The last failure by address. Only addresses of the options are kept. */
  readonly #failures = new Map<string, string>();

  constructor(deps: FixedPeersDependencies) {
    this.#deps = deps;
  }

  /** Notes why a connection to an address failed. Other addresses than those of the options are ignored. */
  failed(address: NetAddress, reason: string): void {
    const { exclusive, priority } = this.#deps.book;
    const named = [...exclusive.addresses, ...priority.addresses];
    if (named.some((each) => sameAddress(each, address)))
      this.#failures.set(formatPeerAddress(address), reason);
  }

  /** Returns the state of every exclusive and priority peer. */
  report(): FixedPeerInfo[] {
    const { exclusive, priority } = this.#deps.book;
    return [
      ...exclusive.entries.map((entry) => this.#info('exclusive', entry)),
      ...priority.entries.map((entry) => this.#info('priority', entry)),
    ];
  }

  #info(
    kind: FixedPeerInfo['kind'],
    [text, addresses]: readonly [string, readonly NetAddress[]],
  ): FixedPeerInfo {
    if (addresses.some((address) => this.#isConnected(address)))
      return { text, kind, connected: true };
    const trouble = addresses.length === 0 ? 'no such host was found' : this.#troubleOf(addresses);
    return { text, kind, connected: false, ...(trouble !== undefined && { trouble }) };
  }

  #isConnected(address: NetAddress): boolean {
    const { peers } = this.#deps;
    return peers.count((peer) => peer.handshaked && sameAddress(peer.address, address)) > 0;
  }

  #troubleOf(addresses: readonly NetAddress[]): string | undefined {
    const { bans } = this.#deps;
    for (const address of addresses) {
      const banned = banNotice(bans, address.host);
      if (banned !== undefined) return `it is ${banned}`;
      const failure = this.#failures.get(formatPeerAddress(address));
      if (failure !== undefined) return failure;
    }
    return undefined;
  }
}
