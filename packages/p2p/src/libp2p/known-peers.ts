import { monotonicMilliseconds } from '@monero-node/base';
import type { Multiaddr } from '@multiformats/multiaddr';
import type { NetAddress } from '../net/address.ts';
import { peerAddress } from './addresses.ts';
import { Libp2pOptionError } from './option-error.ts';
import { parseLibp2pPeer } from './parse-multiaddress.ts';

/** Peers of the local network that are remembered, and addresses of each. */
const MAX_FOUND = 32;
const MAX_ADDRESSES = 8;
/** Milliseconds until a peer of the local network that did not answer is dialled again. */
const RETRY_FOUND_MS = 60_000;

/** A peer found in the local network. */
interface Found {
  readonly addresses: Multiaddr[];
  /** Milliseconds. */
  failedAt: number;
}

/** The peers that can be dialled, by id: those that the user has named, and those found in the local network. */
export class KnownPeers {
  readonly #named = new Map<string, Multiaddr[]>();
  readonly #found = new Map<string, Found>();

  /**
   * Throws Libp2pOptionError when the address of a peer is malformed.
   *
   * @param named multiaddresses, each with the id of its peer
   */
  constructor(named: readonly string[]) {
    for (const text of named) {
      const { address, multiaddr } = parseLibp2pPeer(text);
      this.#named.set(address.host, [...(this.#named.get(address.host) ?? []), multiaddr]);
    }
  }

  /** Returns the peers to connect to, without this node itself and those that have just failed. */
  addresses(own: string | undefined): NetAddress[] {
    const found = [...this.#found].filter(
      ([, { failedAt }]) => monotonicMilliseconds() - failedAt > RETRY_FOUND_MS,
    );
    const ids = new Set([...this.#named.keys(), ...found.map(([id]) => id)]);
    return [...ids].filter((id) => id !== own).map(peerAddress);
  }

  /** Remembers a peer that announced itself in the local network. Returns whether it is a new one. */
  note(id: string, addresses: readonly string[]): boolean {
    const known = this.#found.get(id);
    if (!known && this.#found.size >= MAX_FOUND) return false;
    // Without an id in the address, any node could answer there.
    const named = addresses.map((text) => (text.includes('/p2p/') ? text : `${text}/p2p/${id}`));
    this.#found.set(id, {
      addresses: named.flatMap(dialled).slice(0, MAX_ADDRESSES),
      failedAt: known?.failedAt ?? -Infinity,
    });
    return !known;
  }

  /** Returns the addresses of a peer; none when it is not known. */
  multiaddrsOf(id: string): Multiaddr[] {
    return [...(this.#named.get(id) ?? []), ...(this.#found.get(id)?.addresses ?? [])];
  }

  /** A peer did not answer. One of the local network is left alone for a while. */
  failed(id: string): void {
    const found = this.#found.get(id);
    if (found) found.failedAt = monotonicMilliseconds();
  }
}

/** Returns an address that another node announced; nothing for one that this node would not dial if its user named it. */
function dialled(text: string): Multiaddr[] {
  try {
    return [parseLibp2pPeer(text).multiaddr];
  } catch (error) {
    if (error instanceof Libp2pOptionError) return [];
    throw error;
  }
}
