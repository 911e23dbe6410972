import type { Blockchain } from '@monero-node/blockchain';
import { parseBlock, parsePrunedTransaction, toHex } from '@monero-node/codec';
import { feeOf } from '@monero-node/consensus';
import { MOST_BLOCKS, type BlockRow, type BlocksChange } from '@monero-node/dashboard';
import type { BlockMeta } from '@monero-node/storage';

/** Some milliseconds of reading: an update must not hold up the node. */
const MOST_TRANSACTIONS = 500;

/** The newest blocks, read when they are to be shown. */
export class RecentBlocks {
  readonly #chain: Pick<Blockchain, 'height' | 'store'>;
  readonly #mostTransactions: number;
  #rows: readonly BlockRow[] = [];

  /** @param mostTransactions transactions after which an update reads no more blocks */
  constructor(chain: Pick<Blockchain, 'height' | 'store'>, mostTransactions = MOST_TRANSACTIONS) {
    this.#chain = chain;
    this.#mostTransactions = mostTransactions;
  }

  /** As of the last `update`, oldest first. */
  get rows(): readonly BlockRow[] {
    return this.#rows;
  }

  /** Reads blocks that are new. Returns what has changed since the last call; undefined when nothing has. */
  update(): BlocksChange | undefined {
    const { height, store } = this.#chain;
    const known = new Map(this.#rows.map((row) => [row.height, row]));
    const rows: BlockRow[] = [];
    let from = height;
    let transactions = 0;
    for (const meta of store.blockMetas(Math.max(0, height - MOST_BLOCKS), height).reverse()) {
      const kept = known.get(meta.height);
      const isKept = kept?.id === toHex(meta.id);
      // The older ones follow with the next update.
      if (!isKept && transactions > this.#mostTransactions) break;
      const row = isKept ? kept : this.#read(meta);
      if (row === undefined) break;
      if (!isKept) {
        from = meta.height;
        transactions += row.transactions;
      }
      rows.unshift(row);
    }
    const isSame = from === height && this.#rows.at(-1)?.height === rows.at(-1)?.height;
    this.#rows = rows;
    return isSame ? undefined : { from, added: rows.filter((row) => row.height >= from) };
  }

  #read(meta: BlockMeta): BlockRow | undefined {
    const { store } = this.#chain;
    const blob = store.blockBlob(meta.height);
    if (blob === undefined) return undefined;
    const { block } = parseBlock(blob);
    const reward = block.minerTx.outputs.reduce((sum, { amount }) => sum + amount, 0n);
    // The generated coins of the blocks do not show the fees: on mainnet they have reached their largest number.
    const [, ...txs] = store.blockTxs(meta.height);
    const fees = txs.map(({ pruned, prunableHash }) =>
      feeOf(parsePrunedTransaction(pruned, prunableHash)),
    );
    return {
      height: meta.height,
      id: toHex(meta.id),
      timestamp: meta.timestamp,
      transactions: block.txHashes.length,
      weight: meta.weight,
      fees: Number(fees.reduce((sum, fee) => sum + fee, 0n)),
      reward: Number(reward),
    };
  }
}
