import { countCalls } from '@monero-node/base/testing';
import { keccak256 } from '@monero-node/keccak';
import { parseBlock } from './block/block.ts';
import { fromHex } from './bytes.ts';
import { readEras } from './testing/fixtures.ts';
import { rctSignatureMessage } from './transaction/hashed-transaction.ts';
import { parseTransaction } from './transaction/transaction.ts';

const { blocks, transactions } = readEras();

/** Returns how many hashes `read` computes, the first time and the second time. */
async function hashesOf(read: () => unknown): Promise<[number, number]> {
  const [first = 0] = await countCalls([keccak256], read);
  const [second = 0] = await countCalls([keccak256], read);
  return [first, second];
}

function transaction(what: string): Uint8Array {
  return fromHex(transactions.find((tx) => tx.what.startsWith(what))?.hex ?? '');
}

test('computes no hash of a transaction before it is read, and each one once', async () => {
  expect(await hashesOf(() => parseTransaction(transaction('v2 type 6')))).toEqual([0, 0]);
  const parsed = parseTransaction(transaction('v2 type 6'));
  // The prefix, the base, the prunable part, and the three together.
  expect(await hashesOf(() => parsed.id)).toEqual([4, 0]);
  expect(
    await hashesOf(() => [parsed.prefixHash, parsed.rctBaseHash, parsed.prunableHash]),
  ).toEqual([0, 0]);
  // The range proofs, and the whole message.
  expect(await hashesOf(() => rctSignatureMessage(parsed))).toEqual([2, 0]);
});

test('computes the prefix hash of a version 1 transaction only for its signatures', async () => {
  const parsed = parseTransaction(transaction('v1'));
  expect(await hashesOf(() => parsed.id)).toEqual([1, 0]);
  expect(await hashesOf(() => parsed.prefixHash)).toEqual([1, 0]);
});

test('computes the tree hash and the id of a block once, and hashes its miner transaction once', async () => {
  const alone = blocks.filter(({ txHashes }) => txHashes.length === 0);
  const [v1, v2] = [1, 2].map((version) =>
    alone
      .map(({ hex }) => fromHex(hex))
      .find((blob) => parseBlock(blob).block.minerTx.version === version),
  );
  const old = parseBlock(v1 ?? new Uint8Array());
  expect(await hashesOf(() => [old.hashingBlob, old.id, old.minerTx.id])).toEqual([2, 0]);
  const young = parseBlock(v2 ?? new Uint8Array());
  // The prefix, the base and the two together; the prunable part is known to be empty.
  expect(await hashesOf(() => [young.minerTx.id, young.minerTx.prunableHash])).toEqual([3, 0]);
  expect(await hashesOf(() => [young.hashingBlob, young.id])).toEqual([1, 0]);
});
