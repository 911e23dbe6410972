import { parsePrunedTransaction, parseTransaction, toHex } from '@monero-node/codec';
import { feeOf } from './fee-of.ts';
import { readFixture } from '../testing/fixtures.ts';
import type { RecordedTransaction } from '../testing/fixtures.ts';
import {
  bytes32,
  codeOf,
  keyInput,
  minerTx,
  output,
  parsed,
  plain,
  ringCt,
} from '../testing/transactions.ts';
import { ringSigned } from '../testing/transactions.ts';
import { rulesFor } from '../forks/fork-table.ts';
import { hasPrunedWeights, transactionWeight } from './transaction-weight.ts';

const recorded = readFixture<RecordedTransaction[]>('transactions.json.gz');
const decode = (entry: RecordedTransaction) => parseTransaction(Buffer.from(entry.blob, 'base64'));

test.each(recorded)('recorded $shape: has the weight that monerod reports', (entry) => {
  const p = decode(entry);
  expect(toHex(p.id)).toBe(entry.id);
  expect(transactionWeight(p)).toBe(entry.weight);
});

test.each(recorded.filter((entry) => / t[456] /.test(entry.shape)))(
  'recorded $shape: the pruned form weighs the same',
  (entry) => {
    const p = decode(entry);
    const pruned = parsePrunedTransaction(p.blob.subarray(0, p.unprunedSize), p.prunableHash);
    expect(pruned.pruned).toBe(true);
    expect(transactionWeight(pruned)).toBe(entry.weight);
  },
);

describe('clawback by padded outputs', () => {
  const extra = (type: 3 | 4 | 5 | 6, outputs: number) =>
    transactionWeight(
      parsed(ringCt({ type, outputs: Array.from({ length: outputs }, () => output()) }), 5000),
    ) - 5000;

  test.each([3, 4, 5] as const)('is added to Bulletproofs of type %i', (type) => {
    expect([1, 2, 3, 4, 5, 8, 9, 16].map((n) => extra(type, n))).toEqual([
      0, 0, 537, 537, 1664, 1664, 3968, 3968,
    ]);
  });

  test('is added to Bulletproofs+', () => {
    expect([1, 2, 3, 4, 5, 8, 9, 16].map((n) => extra(6, n))).toEqual([
      0, 0, 460, 460, 1433, 1433, 3430, 3430,
    ]);
  });
});

test('is the number of bytes for all other transactions', () => {
  expect(transactionWeight(parsed(minerTx(5, [1n]), 91))).toBe(91);
  expect(transactionWeight(parsed(ringCt({ type: 1 }), 13_000))).toBe(13_000);
  expect(transactionWeight(parsed(ringCt({ type: 2 }), 13_000))).toBe(13_000);
  const old = ringSigned([keyInput(1, 3, 50n)], [output(plain(), 40n)]);
  expect(transactionWeight(parsed(old, 400))).toBe(400);
});

test('rejects a range proof of an impossible size', () => {
  for (const rounds of [0, 5, 11]) {
    expect(codeOf(() => transactionWeight(parsed(ringCt({ rounds }))))).toBe('proof-layout');
  }
});

describe('a miner transaction that carries Bulletproofs, as forks before 12 allow', () => {
  /** The weight past 5000 bytes, with one proof for each number of rounds. */
  const extra = (type: 3 | 6, rounds: number[], outputs = 1) => {
    const tx = minerTx(
      5,
      Array.from({ length: outputs }, () => 1n),
      { rctType: type },
    );
    const from = ringCt({ type, rounds: 6 }).prunable;
    if (from === undefined) throw new Error('no proofs');
    const sized = <T extends { L: Uint8Array[] }>(list: readonly T[]): T[] =>
      rounds.flatMap((count) =>
        list.map((proof) => ({ ...proof, L: Array.from({ length: count }, () => bytes32(6)) })),
      );
    tx.prunable = {
      ...from,
      bulletproofs: sized(from.bulletproofs),
      bulletproofsPlus: sized(from.bulletproofsPlus),
    };
    return transactionWeight(parsed(tx, 5000)) - 5000;
  };

  test('weighs by what all of them could cover together', () => {
    // 6 rounds cover one output. Two proofs of one cover 2, which costs nothing; three are padded to four in the size.
    expect(extra(3, [6, 6], 2)).toBe(0);
    expect(extra(3, [7, 6], 3)).toBe(Math.floor(((368 * 3 - 32 * 25) * 4) / 5));
    expect(extra(6, [7, 6], 3)).toBe(Math.floor(((320 * 3 - 32 * 22) * 4) / 5));
    expect(extra(3, [7, 7], 4)).toBe(537);
    expect(extra(3, [10, 10], 2)).toBe(Math.floor(((368 * 32 - 32 * 31) * 4) / 5));
    expect(extra(6, [10, 10], 2)).toBe(Math.floor(((320 * 32 - 32 * 28) * 4) / 5));
  });

  test('weighs its bytes without any proof, which only one without outputs decodes with', () => {
    expect(extra(3, [], 0)).toBe(0);
  });

  test('is refused with more than 16 outputs', () => {
    expect(extra(3, [10], 16)).toBe(3968);
    expect(codeOf(() => extra(3, [10, 6], 17))).toBe('proof-layout');
  });
});

test('has no pruned weight for old types', () => {
  const pruned = { ...parsed(ringCt({ type: 3 })), pruned: true };
  expect(codeOf(() => transactionWeight(pruned))).toBe('proof-layout');
});

describe('fees', () => {
  test('agree with recorded transactions', () => {
    const fee = (shape: string) => feeOf(decode(recorded.find((e) => e.shape === shape) as never));
    const p = decode(recorded.find((entry) => entry.shape === 'v1 t- 1/5') as never);
    const sum = p.tx.outputs.reduce((total, { amount }) => total + amount, 0n);
    const [input] = p.tx.inputs;
    expect(fee('v1 t- 1/5')).toBe((input?.kind === 'key' ? input.amount : 0n) - sum);
    expect(fee('v1 t- 1/5') > 0n).toBe(true);
    expect(fee('v2 t6 2/2') > 0n).toBe(true);
  });

  test('are stated by version 2, and 0 for a miner transaction', () => {
    expect(feeOf(parsed(ringCt({ fee: 123n })))).toBe(123n);
    expect(feeOf(parsed(minerTx(5, [9n])))).toBe(0n);
    expect(feeOf(parsed(minerTx(5, [9n], { version: 1 })))).toBe(0n);
  });
});

test('needs no prunable part from fork 11 on', () => {
  const versions = Array.from({ length: 16 }, (_, i) => i + 1);
  expect(versions.filter((version) => hasPrunedWeights(rulesFor(version)))).toEqual([
    11, 12, 13, 14, 15, 16,
  ]);
});
