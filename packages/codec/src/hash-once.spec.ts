/** @jest-environment node */
import { jest } from '@jest/globals';
import * as keccak from '@monero-node/keccak';
import { fromHex } from './bytes.ts';
import { readEras } from './testing/fixtures.ts';

let hashed = 0;

jest.unstable_mockModule('@monero-node/keccak', () => ({
  ...keccak,
  keccak256: (data: Uint8Array) => {
    hashed++;
    return keccak.keccak256(data);
  },
}));

const { parseBlock } = await import('./block/block.ts');
const { rctSignatureMessage } = await import('./transaction/hashed-transaction.ts');
const { parseTransaction } = await import('./transaction/transaction.ts');

const { blocks, transactions } = readEras();

/** Returns how many hashes `read` computes, the first time and the second time. */
function hashesOf(read: () => unknown): [number, number] {
  const counts = [0, 0].map(() => {
    hashed = 0;
    read();
    return hashed;
  });
  return counts as [number, number];
}

function transaction(what: string): Uint8Array {
  return fromHex(transactions.find((tx) => tx.what.startsWith(what))?.hex ?? '');
}

test('computes no hash of a transaction before it is read, and each one once', () => {
  expect(hashesOf(() => parseTransaction(transaction('v2 type 6')))).toEqual([0, 0]);
  const parsed = parseTransaction(transaction('v2 type 6'));
  // The prefix, the base, the prunable part, and the three together.
  expect(hashesOf(() => parsed.id)).toEqual([4, 0]);
  expect(hashesOf(() => [parsed.prefixHash, parsed.rctBaseHash, parsed.prunableHash])).toEqual([
    0, 0,
  ]);
  // The range proofs, and the whole message.
  expect(hashesOf(() => rctSignatureMessage(parsed))).toEqual([2, 0]);
});

test('computes the prefix hash of a version 1 transaction only for its signatures', () => {
  const parsed = parseTransaction(transaction('v1'));
  expect(hashesOf(() => parsed.id)).toEqual([1, 0]);
  expect(hashesOf(() => parsed.prefixHash)).toEqual([1, 0]);
});

test('computes the tree hash and the id of a block once, and hashes its miner transaction once', () => {
  const alone = blocks.filter(({ txHashes }) => txHashes.length === 0);
  const [v1, v2] = [1, 2].map((version) =>
    alone
      .map(({ hex }) => fromHex(hex))
      .find((blob) => parseBlock(blob).block.minerTx.version === version),
  );
  const old = parseBlock(v1 ?? new Uint8Array());
  expect(hashesOf(() => [old.hashingBlob, old.id, old.minerTx.id])).toEqual([2, 0]);
  const young = parseBlock(v2 ?? new Uint8Array());
  // The prefix, the base and the two together; the prunable part is known to be empty.
  expect(hashesOf(() => [young.minerTx.id, young.minerTx.prunableHash])).toEqual([3, 0]);
  expect(hashesOf(() => [young.hashingBlob, young.id])).toEqual([1, 0]);
});
