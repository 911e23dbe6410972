import { partsOf, type ParsedTransaction, type Transaction } from '@monero-node/codec';
import { rulesFor } from '@monero-node/consensus';
import { countLookups, lookupsOf } from './lookups.ts';

const filled = (value: number) => new Uint8Array(32).fill(value);

interface Input {
  readonly amount: bigint;
  readonly keyOffsets: readonly bigint[];
}

/** A transaction that spends outputs by rings of the given offsets. */
const spending = (id: number, inputs: readonly Input[]) => {
  const tx = {
    outputs: [],
    extra: new Uint8Array(0),
    inputs: [
      { kind: 'gen', height: 1 },
      ...inputs.map((input, i) => ({ kind: 'key', keyImage: filled(100 + i), ...input })),
    ],
  } as unknown as Transaction;
  return { id: filled(id), tx, parts: partsOf(tx) } as unknown as ParsedTransaction;
};

/** A ring of consecutive outputs, the first of which has the index 1. */
const ring = (size: number): Input => ({
  amount: 0n,
  keyOffsets: Array.from({ length: size }, () => 1n),
});

test('are ids, key images and ring members by amount', () => {
  const txs = [
    spending(1, [
      { amount: 0n, keyOffsets: [5n, 1n] },
      { amount: 7n, keyOffsets: [2n] },
    ]),
    spending(2, [{ amount: 0n, keyOffsets: [1n, 2n ** 60n] }]),
  ];
  const txIds = [filled(1), filled(2)];
  const keyImages = [filled(100), filled(101), filled(100)];
  // An index that no list can have is left out.
  const outputs = new Map([
    [0n, [5, 6, 1]],
    [7n, [2]],
  ]);
  expect(lookupsOf(txs, rulesFor(1))).toEqual({ txIds, keyImages, outputs });
  expect(countLookups(txs, rulesFor(1))).toBe(2 + 3 + 5);
  expect(lookupsOf(txs)).toEqual({ txIds, keyImages, outputs: new Map() });
  expect(countLookups(txs)).toBe(2 + 3);
});

test.each([
  [1, 200, 200],
  [1, 201, 0],
  [16, 16, 16],
  [16, 15, 0],
  [16, 17, 0],
])('under version %i, of a ring of %i the members read are %i', (version, size, read) => {
  const txs = [spending(1, [ring(size)])];
  const { keyImages, outputs } = lookupsOf(txs, rulesFor(version));
  expect([keyImages.length, outputs.get(0n)?.length ?? 0]).toEqual([1, read]);
  expect(countLookups(txs, rulesFor(version))).toBe(2 + read);
});

test('are bounded, however many inputs there are', () => {
  const txs = [
    spending(
      1,
      Array.from({ length: 600 }, () => ring(200)),
    ),
  ];
  const { keyImages, outputs } = lookupsOf(txs, rulesFor(1));
  expect([keyImages.length, outputs.get(0n)?.length]).toEqual([49, 9800]);
  expect(countLookups(txs, rulesFor(1))).toBe(10_001);
});
