import type { EventBlock } from '../messages/block-table.ts';
import type { EventTransaction } from '../messages/transaction-table.ts';

/** Returns 32 bytes that begin with a number. */
export function exampleId(number: number): Uint8Array {
  const id = new Uint8Array(32);
  new DataView(id.buffer).setUint32(0, number);
  return id;
}

/** Returns a transaction with two inputs of 16 ring members and two outputs. */
export function exampleTransaction(number: number): EventTransaction {
  const input = (i: number) => ({
    amount: 0n,
    key_image: exampleId(number * 4 + i),
    ring: Array.from({ length: 16 }, (_, member) => 100_000_000 + number + member),
  });
  const output = (i: number) => ({
    amount: 0n,
    public_key: exampleId(number * 4 + 2 + i),
    global_index: 110_000_000 + 2 * number + i,
    view_tag: i,
  });
  return {
    id: exampleId(number),
    version: 2,
    fee: 30_660_000n,
    weight: 2222,
    unlock_time: 0n,
    extra: new Uint8Array(44).fill(1),
    inputs: [input(0), input(1)],
    outputs: [output(0), output(1)],
  };
}

/** Returns a block with transactions. Ids are made of heights. */
export function exampleBlock(height: number, transactions = 0): EventBlock {
  return {
    height,
    id: exampleId(height),
    prev_id: exampleId(height - 1),
    timestamp: 1_700_000_000,
    major_version: 16,
    minor_version: 16,
    nonce: 0xffff_ffff,
    weight: 300_000,
    long_term_weight: 176_470,
    difficulty: '340282366920938463463374607431768211455',
    cumulative_difficulty: '340282366920938463463374607431768211455',
    reward: 600_000_000_000n,
    fees: 1_000_000n,
    generated_coins: 18_446_744_073_709_551_615n,
    total_txs: 40_000_000,
    miner_tx: {
      ...exampleTransaction(900_000),
      fee: 0n,
      inputs: [],
      outputs: [
        {
          amount: 600_000_000_000n,
          public_key: exampleId(1),
          global_index: 7,
          view_tag: undefined,
        },
      ],
    },
    txs: Array.from({ length: transactions }, (_, i) => exampleTransaction(i)),
  };
}
