import { isDeepStrictEqual } from 'node:util';
import { sampled } from '@monero-node/base/testing';
import { ByteReader } from '../byte-reader.ts';
import { fromHex } from '../bytes.ts';
import { DecodeError } from '../errors.ts';
import { readEras } from '../testing/fixtures.ts';
import { FlatParts, flatSizes, WordList } from './flat-parts.ts';
import { partsOf } from './parts.ts';
import { checkExpandable, readTransaction, type ReadTransaction } from './read-transaction.ts';
import { scanTransaction } from './scan-transaction.ts';
import type { CopiedPart, TransactionParts } from './types.ts';
import { encodeTransaction, parseTransaction, parseTransactionLazily } from './transaction.ts';

type Form = 'full' | 'base';

const NO_HASH = new Uint8Array(32);

const named = readEras().transactions.map(({ what, hex }) => [what, fromHex(hex)] as const);

/** Returns the transaction as decoded into objects; undefined when it is refused. */
function decode(blob: Uint8Array, form: Form): ReadTransaction | undefined {
  const reader = new ByteReader(blob);
  try {
    const read = readTransaction(reader, form, 'fcmp');
    reader.end();
    checkExpandable(read.tx);
    return read;
  } catch (error) {
    if (error instanceof DecodeError) return undefined;
    throw error;
  }
}

/** Scans a transaction and compares all that is found with its objects. Returns whether it is of a common form. */
function compare(blob: Uint8Array, form: Form, copies = false): boolean {
  const reader = new ByteReader(blob);
  const list = new WordList(1);
  // As behind other transactions of the same list.
  const at = list.take(7);
  expect(at).toBe(0);
  const isCommon = scanTransaction(reader, form, 'fcmp', list);
  if (!isCommon) expectSame([reader.offset, list.length], [0, 7]);
  if (!isCommon || reader.remaining > 0) return false;
  const read = decode(blob, form);
  if (read === undefined)
    throw new Error(`scanned, but refused: ${Buffer.from(blob).toString('hex')}`);
  const { tx, prefixEnd, baseEnd, pruned } = read;
  const sizes = { size: blob.length, prefixSize: prefixEnd, unprunedSize: baseEnd };
  expectSame(flatSizes(list, 7), { ...sizes, pruned, isBase: form === 'base' });
  expectSame(contentOf(new FlatParts(list, 7, blob)), contentOf(partsOf(tx)));
  if (copies) for (const parts of [new FlatParts(list, 7, blob), partsOf(tx)]) compareCopies(parts);
  const parsed = parseTransactionLazily(blob, form === 'full' ? undefined : NO_HASH);
  expectSame(parsed.tx, tx);
  return true;
}

/** As `expect` does, but fast: it is called a hundred thousand times. */
function expectSame(actual: unknown, expected: unknown): void {
  if (!isDeepStrictEqual(actual, expected)) expect(actual).toEqual(expected);
}

/** Returns what `copy` puts behind a first byte; undefined when there is nothing to copy. */
function copyOf(
  parts: TransactionParts,
  what: CopiedPart,
  position: number,
): Uint8Array | undefined {
  const target = new Uint8Array(34);
  try {
    parts.copy(what, position, target, 1);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
  expectSame([target[0], target[33]], [0, 0]);
  return target.slice(1, 33);
}

/** Expects that copies are the bytes that views show. */
function compareCopies(parts: TransactionParts): void {
  for (let i = 0; i <= parts.outputCount; i++) {
    expectSame(copyOf(parts, 'commitment', i), parts.commitment(i));
    const key = i < parts.outputCount ? parts.outputKey(i) : undefined;
    expectSame(copyOf(parts, 'outputKey', i), key);
  }
  for (let i = 0; i <= parts.keyImageCount; i++) {
    const keyImage = i < parts.keyImageCount ? parts.keyImage(i) : undefined;
    expectSame(copyOf(parts, 'keyImage', i), keyImage);
  }
}

function contentOf(parts: TransactionParts): unknown {
  const { version, unlockTime, inputCount, isCoinbase, firstRing, inputAmount } = parts;
  const { outputCount, rctType, rctFee, proofRounds, keyImageCount } = parts;
  return {
    version,
    unlockTime,
    inputCount,
    isCoinbase,
    firstRing,
    inputAmount,
    outputCount,
    rctType,
    rctFee,
    proofRounds,
    inputs: Array.from({ length: keyImageCount }, (_, i) => [parts.keyImage(i), parts.ringSize(i)]),
    outputs: Array.from({ length: outputCount }, (_, i) => [
      parts.outputAmount(i),
      parts.outputKey(i),
      parts.commitment(i),
    ]),
    past: parts.commitment(outputCount),
  };
}

describe.each(named)('%s', (_, blob) => {
  const { unprunedSize } = parseTransaction(blob);

  test('is scanned as it is decoded, whole and pruned', () => {
    expect(compare(blob, 'full', true)).toBe(true);
    expect(compare(blob.subarray(0, unprunedSize), 'base', true)).toBe(true);
  });

  test('is refused by both, or the same in both, whatever byte has changed', () => {
    // Everything but keys is in the first bytes and in those after the base; long runs of scalars are sampled.
    const isDense = (at: number) => at < 150 || Math.abs(at - unprunedSize) < 100;
    const positions: number[] = [];
    for (let at = 0; at < blob.length; at += isDense(at) ? 1 : 97) positions.push(at);
    for (const at of sampled(positions, 2)) {
      for (const value of sampled([0, 2, 0x80, 0xff, (blob[at] as number) + 1], 2)) {
        const changed = blob.slice();
        changed[at] = value;
        compare(changed, 'full');
        if (at < unprunedSize) compare(changed.subarray(0, unprunedSize), 'base');
      }
    }
  });

  test('is refused by both, or the same in both, wherever it ends', () => {
    for (let end = 0; end < blob.length; end += end < 150 ? 1 : 97) {
      compare(blob.subarray(0, end), 'full');
      compare(blob.subarray(0, end), 'base');
    }
    expect(compare(Uint8Array.of(...blob, 0), 'full')).toBe(false);
  });
});

test('numbers of 64 bits have both words', () => {
  const tx = parseTransaction(named[0]?.[1] as Uint8Array).tx;
  const outputs = tx.outputs.map((output, i) => ({
    ...output,
    amount: 2n ** 64n - 1n - BigInt(i),
  }));
  for (const unlockTime of [0n, 2n ** 32n - 1n, 2n ** 32n, 2n ** 49n, 2n ** 63n + 5n]) {
    expect(compare(encodeTransaction({ ...tx, unlockTime, outputs }), 'full')).toBe(true);
  }
});

test('no part is read past the last', () => {
  const { parts } = parseTransactionLazily(named[0]?.[1] as Uint8Array);
  expect(() => parts.keyImage(parts.keyImageCount)).toThrow(RangeError);
  expect(() => parts.outputKey(parts.outputCount)).toThrow(RangeError);
  expect(() => parts.outputAmount(-1)).toThrow(RangeError);
});
