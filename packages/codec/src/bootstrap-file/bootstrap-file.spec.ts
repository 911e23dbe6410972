import { sampled } from '@monero-node/base/testing';
import { fromHex } from '../bytes.ts';
import { readEras } from '../testing/fixtures.ts';
import type { OutlinedPackage } from '../transaction/outlines.ts';
import { encodeTransaction, parseTransaction } from '../transaction/transaction.ts';
import type { TxTarget } from '../transaction/types.ts';
import {
  decodeBootstrapPackage,
  encodeBootstrapPackage,
  type ParsedBootstrapPackage,
} from './bootstrap-file.ts';
import { outlinedPackages, outlinePackages } from './package-outlines.ts';

const { blocks, transactions } = readEras();
const blobs = transactions.map(({ hex }) => fromHex(hex));
const totals = { weight: 100_000, cumulativeDifficulty: 3n << 70n, generatedCoins: 1n << 63n };

/** A transaction that no outline is made of. */
function withScript(): Uint8Array {
  const { tx } = parseTransaction(blobs[0] as Uint8Array);
  const target: TxTarget = { kind: 'script', keys: [], script: new Uint8Array() };
  return encodeTransaction({ ...tx, outputs: tx.outputs.map((output) => ({ ...output, target })) });
}

const packages = blocks.map(({ hex }, i) => {
  const txs = blobs.slice(i, i + (i % 4));
  if (i % 3 === 0) txs.splice(1, 0, withScript());
  return encodeBootstrapPackage({ block: fromHex(hex), txs, ...totals });
});

function contentOf({ block, txs, ...figures }: ParsedBootstrapPackage): unknown {
  return {
    ...figures,
    block: [block.id, block.hashingBlob, block.minerTx.id, block.minerTx.prunableHash],
    txs: txs.map(({ id, blob, prunableHash, tx }) => ({ id, blob, prunableHash, tx })),
  };
}

test('packages are decoded with the outlines of another thread as without', () => {
  const outlined = outlinedPackages(structuredClone(outlinePackages(packages)));
  expect(outlined).toHaveLength(packages.length);
  for (const [i, bytes] of packages.entries()) {
    const expected = contentOf(decodeBootstrapPackage(bytes, 1));
    expect(contentOf(decodeBootstrapPackage(bytes, 1, outlined[i]))).toEqual(expected);
  }
});

test('hashes of blocks are taken from another thread, for packages of as many bytes', () => {
  const outlines = outlinePackages(packages);
  outlines.blockHashes.fill(7);
  const outlined = outlinedPackages(outlines);
  const [bytes] = packages as [Uint8Array];
  const { block } = decodeBootstrapPackage(bytes, 1, outlined[0]);
  const sevens = new Uint8Array(32).fill(7);
  expect([block.id, block.minerTx.id, block.minerTx.prunableHash]).toEqual(Array(3).fill(sevens));
  expect(block.hashingBlob.subarray(-33, -1)).toEqual(sevens);
  // Another package has other hashes.
  const other = packages.find(({ length }) => length !== bytes.length) as Uint8Array;
  const { id } = decodeBootstrapPackage(other, 1).block;
  const wrong = { ...(outlined[0] as OutlinedPackage), first: outlined.length };
  expect(decodeBootstrapPackage(other, 1, wrong).block.id).toEqual(id);
});

/** Returns most of the first positions, where the lengths are, and some of the others. */
function positions(length: number): number[] {
  const all: number[] = [];
  for (let at = 0; at < length; at += at < 400 ? 7 : 131) all.push(at);
  return all;
}

test('a damaged package is refused for the same reason, and leaves the outlines of others right', () => {
  const errorOf = (task: () => unknown): unknown => {
    try {
      task();
      return undefined;
    } catch (error) {
      return error;
    }
  };
  const [first, damagedOne, third] = packages.slice(1, 4) as [Uint8Array, Uint8Array, Uint8Array];
  for (const at of sampled(positions(damagedOne.length), 3)) {
    const damaged = damagedOne.slice();
    damaged[at] = (damaged[at] as number) ^ 0x81;
    for (const bytes of [damaged, damagedOne.subarray(0, at)]) {
      const outlined = outlinedPackages(outlinePackages([first, bytes, third]));
      const error = errorOf(() => decodeBootstrapPackage(bytes, 1));
      expect(errorOf(() => decodeBootstrapPackage(bytes, 1, outlined[1]))).toEqual(error);
      const last = contentOf(decodeBootstrapPackage(third, 1, outlined[2]));
      expect(last).toEqual(contentOf(decodeBootstrapPackage(third, 1)));
    }
  }
});
