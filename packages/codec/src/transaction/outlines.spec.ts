import { fromHex } from '../bytes.ts';
import { readEras } from '../testing/fixtures.ts';
import { OutlinedTransactions, outlineTransactions, type TransactionBytes } from './outlines.ts';
import { encodeTransaction, parsePrunedTransaction, parseTransaction } from './transaction.ts';
import type { ParsedTransaction, TxTarget } from './types.ts';

const blobs = readEras().transactions.map(({ hex }) => fromHex(hex));
const whole: TransactionBytes[] = blobs.map((blob) => ({ blob }));
const pruned: TransactionBytes[] = blobs.map((blob) => {
  const { unprunedSize, prunableHash } = parseTransaction(blob);
  return { blob: blob.subarray(0, unprunedSize), prunableHash };
});
/** Refused, cut off, with bytes left over, and with a script, which no valid transaction has. */
const other: TransactionBytes[] = [
  { blob: Uint8Array.of(1, 2, 3) },
  { blob: (blobs[0] as Uint8Array).subarray(0, 100) },
  { blob: Uint8Array.of(...(blobs[0] as Uint8Array), 0) },
  { blob: withScript() },
];

function withScript(): Uint8Array {
  const { tx } = parseTransaction(blobs[0] as Uint8Array);
  const target: TxTarget = { kind: 'script', keys: [], script: new Uint8Array() };
  return encodeTransaction({ ...tx, outputs: tx.outputs.map((output) => ({ ...output, target })) });
}

const outlinedOf = (txs: readonly TransactionBytes[]) => {
  // As it comes from another thread.
  const outlines = structuredClone(outlineTransactions(txs));
  return new OutlinedTransactions(outlines);
};

function contentOf(parsed: ParsedTransaction): unknown {
  const { id, prefixHash, rctBaseHash, prunableHash, signatureMessage } = parsed;
  const { blob, prefixSize, unprunedSize, pruned: isPruned, tx } = parsed;
  return {
    id,
    prefixHash,
    rctBaseHash,
    prunableHash,
    signatureMessage,
    blob,
    prefixSize,
    unprunedSize,
    isPruned,
    tx,
  };
}

/** Returns id and prunable hash, as they are copied among others. */
function hashesOf(parsed: ParsedTransaction): Uint8Array[] {
  const [ids, prunableHashes] = [new Uint8Array(96), new Uint8Array(96)];
  parsed.copyHashes(ids, prunableHashes, 32);
  return [ids, prunableHashes].map((bytes) => {
    expect([...bytes.subarray(0, 32), ...bytes.subarray(64)].every((byte) => byte === 0)).toBe(
      true,
    );
    return bytes.slice(32, 64);
  });
}

test.each([
  ['whole', whole],
  ['pruned', pruned],
] as const)('are those of %s transactions of all eras, among others', (_, txs) => {
  const mixed = txs.flatMap((tx, i) => [tx, other[i % other.length] as TransactionBytes]);
  const outlined = outlinedOf(mixed);
  for (const [i, { blob, prunableHash }] of txs.entries()) {
    const parsed =
      prunableHash === undefined
        ? parseTransaction(blob)
        : parsePrunedTransaction(blob, prunableHash);
    const found = outlined.at(2 * i, { blob, prunableHash }) as ParsedTransaction;
    // Before anything has been read of it.
    expect([hashesOf(found), hashesOf(parsed)]).toEqual(
      Array(2).fill([parsed.id, parsed.prunableHash]),
    );
    for (const each of [found, parsed]) {
      expect(each.hasId(parsed.id)).toBe(true);
      expect(each.hasId(parsed.id.subarray(1))).toBe(false);
      expect(each.hasId(parsed.id.map((byte, at) => (at === i % 32 ? byte ^ 1 : byte)))).toBe(
        false,
      );
    }
    expect(contentOf(found)).toEqual(contentOf(parsed));
    expect(found.blob.buffer).toBe(blob.buffer);
    expect(outlined.sizeOf(2 * i)).toBe(blob.length);
    expect(outlined.at(2 * i + 1, mixed[2 * i + 1] as TransactionBytes)).toBeUndefined();
    expect(outlined.sizeOf(2 * i + 1)).toBe(0);
  }
});

test('their objects can be dropped and are made again, but never those that were decoded', () => {
  const outlined = outlinedOf(whole);
  for (const [i, { blob }] of whole.entries()) {
    const found = outlined.at(i, { blob }) as ParsedTransaction;
    const { tx, id, parts, prunableHash } = found;
    expect(found.tx).toBe(tx);
    found.dropObjects();
    expect(found.tx).not.toBe(tx);
    expect(found.tx).toEqual(tx);
    expect([found.id, found.parts, found.prunableHash]).toEqual([id, parts, prunableHash]);
    const parsed = parseTransaction(blob);
    const objects = parsed.tx;
    parsed.dropObjects();
    expect(parsed.tx).toBe(objects);
  }
});

test('are not used for bytes of another number or form, nor past the last transaction', () => {
  const outlined = outlinedOf(whole);
  const [{ blob } = { blob: new Uint8Array() }] = whole;
  expect(outlined.at(0, { blob: blob.subarray(1) })).toBeUndefined();
  expect(outlined.at(0, { blob, prunableHash: new Uint8Array(32) })).toBeUndefined();
  expect(outlined.at(whole.length, { blob })).toBeUndefined();
});

test('an id that is kept does not keep the hashes of other transactions', () => {
  const found = outlinedOf(whole).at(1, whole[1] as TransactionBytes);
  expect(found?.id.buffer.byteLength).toBe(32);
});
