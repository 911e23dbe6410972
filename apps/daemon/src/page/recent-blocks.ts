import type { Blockchain } from '@monero-node/blockchain';
import { parseBlock, toHex } from '@monero-node/codec';
import { MOST_BLOCKS, type BlockRow, type BlocksChange } from '@monero-node/dashboard';
import type { BlockMeta } from '@monero-node/storage';

/** The newest blocks, read when they are to be shown. */
export class RecentBlocks {
  readonly #chain: Pick<Blockchain, 'height' | 'store'>;
  #rows: readonly BlockRow[] = [];

  constructor(chain: Pick<Blockchain, 'height' | 'store'>) {
    this.#chain = chain;
  }

  /** As of the last `update`, oldest first. */
  get rows(): readonly BlockRow[] {
    return this.#rows;
  }

  /** Reads the blocks that are new. Returns what has changed since the last call; undefined when nothing has. */
  update(): BlocksChange | undefined {
    const { height, store } = this.#chain;
    const known = new Map(this.#rows.map((row) => [row.height, row]));
    const metas = store.blockMetas(Math.max(0, height - MOST_BLOCKS - 1), height);
    let from = height;
    let before = metas.length > MOST_BLOCKS ? metas[0] : undefined;
    const rows: BlockRow[] = [];
    for (const meta of before === undefined ? metas : metas.slice(1)) {
      const kept = known.get(meta.height);
      const isKept = kept?.id === toHex(meta.id);
      if (!isKept) from = Math.min(from, meta.height);
      const row = isKept ? kept : this.#read(meta, before);
      if (row !== undefined) rows.push(row);
      before = meta;
    }
    const isSame = from === height && this.#rows.at(-1)?.height === rows.at(-1)?.height;
    this.#rows = rows;
    return isSame ? undefined : { from, added: rows.filter((row) => row.height >= from) };
  }

  /** @param before the block below; undefined for the first block */
  #read(meta: BlockMeta, before: BlockMeta | undefined): BlockRow | undefined {
    const blob = this.#chain.store.blockBlob(meta.height);
    if (blob === undefined) return undefined;
    const { block } = parseBlock(blob);
    const reward = block.minerTx.outputs.reduce((sum, { amount }) => sum + amount, 0n);
    const fresh = meta.generatedCoins - (before?.generatedCoins ?? 0n);
    return {
      height: meta.height,
      id: toHex(meta.id),
      timestamp: meta.timestamp,
      transactions: block.txHashes.length,
      weight: meta.weight,
      fees: Number(reward > fresh ? reward - fresh : 0n),
      reward: Number(reward),
    };
  }
}
