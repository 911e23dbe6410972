import { encodeBlock, parseBlock } from './block.ts';
import type { Block } from './types.ts';
import { withoutHugeNumbers } from './huge-numbers.ts';
import { encodeVarint } from '../varint.ts';

const BLOCK: Block = {
  majorVersion: 1,
  minorVersion: 0,
  timestamp: 5,
  prevId: new Uint8Array(32).fill(7),
  nonce: 9,
  minerTx: {
    version: 1,
    unlockTime: 66n,
    inputs: [{ kind: 'gen', height: 6 }],
    outputs: [{ amount: 3n, target: { kind: 'key', key: new Uint8Array(32).fill(1) } }],
    extra: new Uint8Array([1]),
    signatures: [[]],
  },
  txHashes: [new Uint8Array(32).fill(2)],
};

/** Returns the block with other bytes for its timestamp (at 2) and its height (at 2 + 1 + 36 + 2 + 2). */
function withNumbers(timestamp: bigint, height: bigint): Uint8Array {
  const blob = encodeBlock(BLOCK);
  const [from, to] = [3, 43];
  return Buffer.concat([
    blob.subarray(0, 2),
    encodeVarint(timestamp),
    blob.subarray(from, to),
    encodeVarint(height),
    blob.subarray(to + 1),
  ]);
}

test('leaves a block alone whose numbers are not too large', () => {
  expect(parseBlock(withNumbers(5n, 6n)).block).toEqual(parseBlock(encodeBlock(BLOCK)).block);
  expect(withoutHugeNumbers(withNumbers(2n ** 53n - 1n, 6n))).toBeUndefined();
});

test.each([
  ['timestamp', 2n ** 63n, 6n, { timestamp: 0 }, 6],
  ['height', 5n, 2n ** 64n - 1n, { timestamp: 5 }, 0],
  ['timestamp and height', 2n ** 53n, 2n ** 53n, { timestamp: 0 }, 0],
])('clears a huge %s', (_what, timestamp, height, header, kept) => {
  const blob = withNumbers(timestamp, height);
  expect(() => parseBlock(blob)).toThrow();
  const { block } = parseBlock(withoutHugeNumbers(blob) ?? new Uint8Array());
  expect(block).toMatchObject(header);
  expect(block.minerTx.inputs).toEqual([{ kind: 'gen', height: kept }]);
});

test('returns nothing for bytes that do not decode', () => {
  const blob = withNumbers(2n ** 63n, 6n);
  for (let size = 0; size < 43; size++) {
    expect(withoutHugeNumbers(blob.subarray(0, size))).toBeUndefined();
  }
});
