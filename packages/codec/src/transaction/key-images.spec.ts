import { keyImagesOf } from './read-transaction.ts';

const key = (fill: number) =>
  ({
    kind: 'key',
    amount: 0n,
    keyOffsets: [1n],
    keyImage: new Uint8Array(32).fill(fill),
  }) as const;

test('returns the key images in the order of the inputs', () => {
  const images = keyImagesOf({
    inputs: [
      { ...key(2), keyOffsets: [1n] },
      { ...key(1), keyOffsets: [1n] },
    ],
  });
  expect(images.map(([first]) => first)).toEqual([2, 1]);
});

test('returns none for a miner transaction', () => {
  expect(keyImagesOf({ inputs: [{ kind: 'gen', height: 5 }] })).toEqual([]);
});
