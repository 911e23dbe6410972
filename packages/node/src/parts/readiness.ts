import type { MillisecondClock } from '@monero-node/base';
import type { P2pNode } from '@monero-node/p2p';
import { targetHeight } from './target-height.ts';

/** Blocks that a ready node may lack: peers announce their height once a minute, and new blocks take a moment. */
const ALLOWED_LAG = 3;
/** Milliseconds for which an answer is reused, because anyone may ask. */
const MAX_AGE = 250;

export interface ReadinessSources {
  readonly chain: { readonly height: number };
  readonly p2p: Pick<P2pNode, 'connections' | 'synchronized'>;
  /** False when being alone is normal: offline, and on a regtest for which no peer is named. */
  readonly expectsPeers: boolean;
  /** Whether the store takes no more writes. */
  readonly storeFailed: () => boolean;
  /** Monotonic. */
  readonly now: MillisecondClock;
}

/** Decides whether wallets and other programs should use this node now. */
export class Readiness {
  readonly #sources: ReadinessSources;
  #known: { readonly reasons: readonly string[]; readonly until: number } | undefined;

  constructor(sources: ReadinessSources) {
    this.#sources = sources;
  }

  /**
   * Returns the reasons against using this node; an empty list when it is ready. `synchronizing`: it has not caught up with
   * its peers since its start, or cannot add blocks. `behind`: it lacks some blocks that its peers have. `no_peers`,
   * `store_failed`.
   */
  notReady(): readonly string[] {
    const now = this.#sources.now();
    if (this.#known === undefined || now >= this.#known.until)
      this.#known = { reasons: this.#reasons(), until: now + MAX_AGE };
    return this.#known.reasons;
  }

  #reasons(): readonly string[] {
    const { chain, p2p, expectsPeers, storeFailed } = this.#sources;
    const peers = p2p.connections().filter(({ state }) => state !== 'before_handshake');
    const isAlone = peers.length === 0;
    const target = targetHeight(chain.height, peers);
    const found: [reason: string, holds: boolean][] = [
      ['synchronizing', !p2p.synchronized && (expectsPeers || !isAlone)],
      ['behind', p2p.synchronized && target - chain.height > ALLOWED_LAG],
      ['no_peers', expectsPeers && isAlone],
      ['store_failed', storeFailed()],
    ];
    return found.flatMap(([reason, holds]) => (holds ? [reason] : []));
  }
}
