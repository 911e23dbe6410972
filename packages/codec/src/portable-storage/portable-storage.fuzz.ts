import fc from 'fast-check';
import { bytesEqual, concatBytes } from '../bytes.ts';
import { DecodeError } from '../errors.ts';
import { unlessRefused } from '../testing/unless-refused.ts';
import { fromBase64, readFixture } from '../testing/fixtures.ts';
import { decodeStorage, encodeStorage } from './section.ts';
import { EMPTY_TABLE } from './fields.ts';
import { LEVIN_STORAGE_LIMITS, TYPE_IDS, type StorageType } from './format.ts';
import { decodeMessage } from './read.ts';
import type { StorageSection, StorageValue } from './section.ts';

/** Sections of every type, nested. */
const { section } = fc.letrec<{ section: StorageSection; value: StorageValue }>((tie) => ({
  section: fc
    .dictionary(fc.stringMatching(/^[a-z_]{1,9}$/), tie('value'), { maxKeys: 6 })
    .map((entries) => new Map(Object.entries(entries))),
  value: fc.oneof(
    { depthSize: 'small' },
    fc.bigInt(0n, 2n ** 64n - 1n).map((value) => ({ type: 'uint64' as const, value })),
    fc.integer({ min: -128, max: 127 }).map((value) => ({ type: 'int8' as const, value })),
    fc.double().map((value) => ({ type: 'double' as const, value })),
    fc.boolean().map((value) => ({ type: 'bool' as const, value })),
    fc.uint8Array().map((value) => ({ type: 'string' as const, value })),
    tie('section').map((value) => ({ type: 'object' as const, value })),
    fc
      .array(fc.uint8Array())
      .map((items) => ({ type: 'array' as const, of: 'string' as const, items })),
    fc
      .array(tie('section'))
      .map((items) => ({ type: 'array' as const, of: 'object' as const, items })),
    fc.array(fc.nat(255)).map((items) => ({ type: 'array' as const, of: 'uint8' as const, items })),
  ),
}));

const recorded = readFixture('binary-answers.json.gz') as { answer_b64: string }[];
export const seeds = [
  ...recorded.map(({ answer_b64 }) => fromBase64(answer_b64)),
  ...fc.sample(section, { seed: 1, numRuns: 100 }).map(encodeStorage),
];
/** Each type byte, alone and as an array of no, one and many elements. */
export const tokens = (Object.keys(TYPE_IDS) as StorageType[]).flatMap((type) =>
  [[0], [0x80, 0], [0x80, 4], [0x80, 0xfe, 0xff, 3, 0]].map(([flag = 0, ...count]) =>
    Uint8Array.of(TYPE_IDS[type] | flag, ...count),
  ),
);

/** A document that is accepted is encoded to a stable form; one that skips everything is accepted as well. */
export function fuzz(input: Uint8Array): void {
  const skip = () => decodeMessage(EMPTY_TABLE, input, LEVIN_STORAGE_LIMITS);
  const skipped = unlessRefused(skip, DecodeError);
  const found = unlessRefused(() => decodeStorage(input, LEVIN_STORAGE_LIMITS), DecodeError);
  if (found === undefined) return;
  if (skipped === undefined) throw new Error('refused only when nothing of it is read');
  // Names of no or 255 characters can be read, but not written.
  const encoded = unlessRefused(() => encodeStorage(found), RangeError);
  if (encoded === undefined) return;
  // The reader wants two bytes for every string of an array, as monerod does, although an empty one has one.
  const padded = concatBytes(encoded, new Uint8Array(encoded.length));
  if (!bytesEqual(encodeStorage(decodeStorage(padded)), encoded)) {
    throw new Error('the encoded document differs');
  }
}
