import type { ParsedTransaction } from '@monero-node/codec';
import { lookupsOf } from './lookups.ts';

const filled = (value: number) => new Uint8Array(32).fill(value);

/** A transaction that spends outputs by rings of the given offsets. */
const spending = (
  id: number,
  inputs: readonly { amount: bigint; keyOffsets: readonly bigint[] }[],
) =>
  ({
    id: filled(id),
    tx: {
      inputs: [
        { kind: 'gen', height: 1 },
        ...inputs.map((input, i) => ({ kind: 'key', keyImage: filled(100 + i), ...input })),
      ],
    },
  }) as unknown as ParsedTransaction;

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
  expect(lookupsOf(txs, true)).toEqual({ txIds, keyImages, outputs });
  expect(lookupsOf(txs, false)).toEqual({ txIds, keyImages, outputs: new Map() });
});

test('are bounded, however many ring members a transaction claims', () => {
  const huge = { amount: 0n, keyOffsets: Array.from({ length: 15_000 }, () => 1n) };
  const { keyImages, outputs } = lookupsOf([spending(1, [huge, huge, huge])], true);
  expect([keyImages.length, outputs.get(0n)?.length]).toEqual([1, 15_000]);
});
