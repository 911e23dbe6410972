import { toHex } from '@monero-node/codec';
import type { EventBlock, EventTransaction } from '@monero-node/events';

/** The part of a block that the tables hold. */
export type ExplorerBlock = Omit<EventBlock, 'total_txs'>;

/** Rows of each table, with the names of its columns. */
export type RowsOfTables = Record<
  'blocks' | 'transactions' | 'outputs' | 'inputs' | 'ring_members',
  object[]
>;

/** Bytes as PostgreSQL reads them from text. */
export function bytea(bytes: Uint8Array): string {
  return `\\x${toHex(bytes)}`;
}

function blockRow(block: ExplorerBlock): object {
  const { height, timestamp, major_version, minor_version, nonce } = block;
  const { weight, long_term_weight, difficulty, cumulative_difficulty } = block;
  const { id, prev_id, reward, fees, generated_coins, txs } = block;
  return {
    height,
    timestamp,
    major_version,
    minor_version,
    nonce,
    weight,
    long_term_weight,
    difficulty,
    cumulative_difficulty,
    id: bytea(id),
    prev_id: bytea(prev_id),
    reward: String(reward),
    fees: String(fees),
    generated_coins: String(generated_coins),
    transactions: txs.length + 1,
  };
}

/** Adds the rows of one transaction. Throws Error for an output without its global index: one of the pool. */
function addTransaction(
  rows: RowsOfTables,
  { tx, height, position }: { tx: EventTransaction; height: number; position: number },
): void {
  const { version, weight } = tx;
  rows.transactions.push({
    height,
    position,
    version,
    weight,
    id: bytea(tx.id),
    extra: bytea(tx.extra),
    unlock_time: String(tx.unlock_time),
    fee: String(tx.fee),
    inputs: tx.inputs.length,
    outputs: tx.outputs.length,
  });
  const place = { height, tx_position: position };
  tx.outputs.forEach(({ amount, public_key, global_index, view_tag }, i) => {
    if (global_index === undefined) throw new Error(`output ${i} of ${toHex(tx.id)} has no index`);
    rows.outputs.push({
      ...place,
      position: i,
      amount: String(amount),
      global_index,
      view_tag,
      index_amount: version === 1 ? String(amount) : '0',
      public_key: bytea(public_key),
    });
  });
  tx.inputs.forEach(({ amount, key_image, ring }, i) => {
    const index_amount = String(amount);
    rows.inputs.push({ ...place, position: i, amount: index_amount, key_image: bytea(key_image) });
    ring.forEach((global_index, member) =>
      rows.ring_members.push({
        ...place,
        input_position: i,
        position: member,
        index_amount,
        global_index,
      }),
    );
  });
}

/** Returns the rows of blocks, whose miner transaction has position 0. */
export function rowsOf(blocks: readonly ExplorerBlock[]): RowsOfTables {
  const rows: RowsOfTables = {
    blocks: [],
    transactions: [],
    outputs: [],
    inputs: [],
    ring_members: [],
  };
  for (const block of blocks) {
    rows.blocks.push(blockRow(block));
    [block.miner_tx, ...block.txs].forEach((tx, position) =>
      addTransaction(rows, { tx, height: block.height, position }),
    );
  }
  return rows;
}
