import { systemSeconds } from '@monero-node/base';
import { checkOptions, NEEDED, OPTIONAL, type OptionTable } from '@monero-node/base/options';
import type { Network } from '@monero-node/consensus';
import type { ChainReader } from '@monero-node/storage';
import { ChainQueries } from './query/chain-queries.ts';
import { TipState } from './view/tip-state.ts';
import type { TreeRoots } from './view/tree-roots.ts';

/** Ids that are kept to find where a reorganization begins. For a deeper one, everything is read anew. */
const KEPT_IDS = 1000;

export interface FollowedChainOptions {
  readonly network: Network;
  /** Holds genesis at least. */
  readonly store: ChainReader;
  /** Unix seconds; the system clock when absent. */
  readonly now?: (() => number) | undefined;
  /** Returns the 32-byte commitment to an amount that is not hidden. */
  readonly commitToAmount: (amount: bigint) => Uint8Array;
  /** Those of the store; see `loadTreeRoots`. */
  readonly treeRoots: TreeRoots;
}

const OPTIONS: OptionTable<FollowedChainOptions> = {
  network: NEEDED,
  store: NEEDED,
  now: OPTIONAL,
  commitToAmount: NEEDED,
  treeRoots: NEEDED,
};

/** The newest blocks of a chain. */
interface Top {
  readonly height: number;
  /** Ids in hex, the newest last. */
  readonly ids: readonly string[];
}

/** The read side of a chain that another process writes to. It emits no events. */
export class FollowedChain extends ChainQueries {
  readonly #tip: TipState;
  #top: Top;

  /** Throws OptionError for a missing or an unknown option. */
  constructor(options: FollowedChainOptions) {
    checkOptions('FollowedChain', options, OPTIONS);
    const { network, store, now = systemSeconds, commitToAmount, treeRoots } = options;
    const tip = new TipState({ network, store, now, commitToAmount });
    super({ network, store, tip, treeRoots });
    this.#tip = tip;
    this.#top = { height: store.height, ids: idsOf(store, store.height) };
  }

  /** Call it whenever the store may show another chain than before. Returns whether it does. */
  moved(): boolean {
    const { store } = this;
    const { height, ids } = this.#top;
    const split = this.#split();
    if (split === height && store.height === height) return false;
    if (split === undefined) this.#tip.reload();
    else this.#tip.followed(height, split);
    const kept =
      split === undefined ? [] : ids.slice(0, Math.max(0, ids.length - (height - split)));
    const from = split ?? Math.max(0, store.height - KEPT_IDS);
    const added = store.blockMetas(from, store.height).map(({ id }) => hex(id));
    this.#top = { height: store.height, ids: [...kept, ...added].slice(-KEPT_IDS) };
    return true;
  }

  /** Returns the number of unchanged blocks; undefined when all kept ones have changed. */
  #split(): number | undefined {
    const { height, ids } = this.#top;
    for (let at = height - 1; at >= height - ids.length; at--) {
      const id = this.store.blockMeta(at)?.id;
      if (id !== undefined && hex(id) === ids[at - (height - ids.length)]) return at + 1;
    }
    return undefined;
  }
}

function idsOf(store: ChainReader, height: number): string[] {
  return store.blockMetas(Math.max(0, height - KEPT_IDS), height).map(({ id }) => hex(id));
}

const hex = (bytes: Uint8Array): string => Buffer.from(bytes).toString('hex');
