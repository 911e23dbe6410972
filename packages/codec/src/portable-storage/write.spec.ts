import fc from 'fast-check';
import { concatBytes } from '../bytes.ts';
import { DecodeError } from '../errors.ts';
import { ByteSink } from './byte-sink.ts';
import { decodeStorage, encodeStorage } from './section.ts';
import { EMPTY_TABLE, eitherOf, f, mapped } from './fields.ts';
import { defineTable, type AnyField, type Table } from './table.ts';
import { encodeMessage, renderObject, writeStorage } from './write.ts';
import { decodeMessage } from './read.ts';

/** A field and a value that it holds. */
interface Sample {
  readonly field: AnyField;
  readonly value: unknown;
}

const bytes = fc.uint8Array({ maxLength: 80 });
const u64 = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
const of = (field: AnyField, value: fc.Arbitrary<unknown>): fc.Arbitrary<Sample> =>
  value.map((each) => ({ field, value: each }));
const pod = (size: number): fc.Arbitrary<Uint8Array> =>
  fc.uint8Array({ minLength: size, maxLength: size });

const EITHER = eitherOf(f.blob(), f.u64s(), (value) => value instanceof Uint8Array);
const MAPPED = mapped(defineTable({ a: f.u8() }), {
  read: ({ a }) => String(a),
  write: (text) => ({ a: Number(text) }),
});

const scalar = fc.oneof(
  of(f.u8(), fc.nat(255)),
  of(f.i8(), fc.integer({ min: -128, max: 127 })),
  of(f.u16(), fc.nat(65_535)),
  of(f.u32(), fc.nat(2 ** 32 - 1)),
  of(f.u64(), u64),
  of(f.i64(), fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n })),
  of(f.safeU64(), fc.maxSafeNat()),
  of(f.bool(), fc.boolean()),
  of(f.text(), fc.string({ unit: 'binary' })),
  of(f.blob(), bytes),
  of(f.pod(5), pod(5)),
  of(f.pods(3), fc.array(pod(3))),
  of(f.packedU64s(), fc.array(u64)),
  of(f.u32s(), fc.array(fc.nat(2 ** 32 - 1))),
  of(f.u64s(), fc.array(u64, { maxLength: 100 })),
  // monerod takes each string of an array for at least two bytes, so a last one must not be empty.
  of(f.blobs(), fc.array(fc.uint8Array({ minLength: 1, maxLength: 80 }))),
  of(f.texts(), fc.array(fc.string({ unit: 'binary', minLength: 1 }))),
  of(EITHER, fc.oneof(bytes, fc.array(u64, { minLength: 1 }))),
  of(MAPPED, fc.nat(255).map(String)),
);

/** A table and an object of it, with objects nested up to twice. */
interface Message {
  readonly table: Table;
  readonly value: Record<string, unknown>;
}

const name = fc.string({ unit: fc.constantFrom(...'abz_'), minLength: 1, maxLength: 3 });

function message(depth: number): fc.Arbitrary<Message> {
  const nested = depth === 0 ? [] : [objectSample(depth - 1), listSample(depth - 1)];
  return fc.dictionary(name, fc.oneof(scalar, ...nested), { maxKeys: 6 }).map((samples) => {
    const entries = Object.entries(samples);
    return {
      table: defineTable(Object.fromEntries(entries.map(([key, { field }]) => [key, field]))),
      value: Object.fromEntries(entries.map(([key, { value }]) => [key, value])),
    };
  });
}

function objectSample(depth: number): fc.Arbitrary<Sample> {
  return message(depth).map(({ table, value }) => ({ field: f.object(table), value }));
}

function listSample(depth: number): fc.Arbitrary<Sample> {
  return fc.tuple(message(depth), fc.nat(3)).map(([{ table, value }, count]) => ({
    field: f.objects(table),
    value: Array<unknown>(count).fill(value),
  }));
}

const RUNS = Number(process.env['CODEC_FUZZ_RUNS'] ?? 300);

test('a message is read as it was written', () => {
  fc.assert(
    fc.property(message(2), ({ table, value }) => {
      expect(decodeMessage(table, encodeMessage(table, value))).toEqual(value);
    }),
    { numRuns: RUNS },
  );
});

test('writing at once, in steps, without a table or with rendered objects makes the same bytes', () => {
  fc.assert(
    fc.property(message(2), ({ table, value }) => {
      const expected = encodeMessage(table, value);
      const sink = new ByteSink();
      for (const wait of writeStorage(sink, table, value)) expect(wait).toBeUndefined();
      expect(concatBytes(...sink.chunks())).toEqual(expected);
      expect(encodeStorage(decodeStorage(expected))).toEqual(expected);
      const outer = defineTable({ inner: f.object(table) });
      expect(encodeMessage(outer, { inner: renderObject(table, value) as never })).toEqual(
        encodeMessage(outer, { inner: value }),
      );
    }),
    { numRuns: RUNS },
  );
});

test('skips fields that its table does not have', () => {
  fc.assert(
    fc.property(message(2), fc.infiniteStream(fc.boolean()), ({ table, value }, coins) => {
      const known = Object.keys(value).filter(() => coins.next().value === true);
      const only = defineTable(Object.fromEntries(known.map((key) => [key, fieldOf(table, key)])));
      const expected = Object.fromEntries(known.map((key) => [key, value[key]]));
      expect(decodeMessage(only, encodeMessage(table, value))).toEqual(expected);
    }),
    { numRuns: RUNS },
  );
});

function fieldOf(table: Table, key: string): AnyField {
  const field = table.fields[key];
  if (field === undefined) throw new Error(`no field ${key}`);
  return field;
}

test('a changed document is refused with a table only if it is refused without one, or a type does not convert', () => {
  const edits = fc.array(fc.tuple(fc.nat(1e6), fc.nat(255)), { minLength: 1, maxLength: 3 });
  let refused = 0;
  const accepts = (read: () => unknown): boolean => {
    try {
      read();
      return true;
    } catch (error) {
      if (!(error instanceof DecodeError)) throw error;
      return false;
    }
  };
  fc.assert(
    fc.property(message(2), edits, ({ table, value }, changes) => {
      const document = encodeMessage(table, value).slice();
      for (const [at, byte] of changes) document[9 + (at % (document.length - 9))] = byte;
      const whole = accepts(() => decodeStorage(document));
      expect(accepts(() => decodeMessage(EMPTY_TABLE, document))).toBe(whole);
      if (accepts(() => decodeMessage(table, document))) expect(whole).toBe(true);
      if (!whole) refused++;
    }),
    { numRuns: RUNS },
  );
  expect(refused).toBeGreaterThan(0);
});

test('writes a lazy list like an ordinary one, and leaves it out when it is empty', async () => {
  const table = defineTable({ x: f.objects(defineTable({ a: f.u8() })) });
  async function* items(count: number): AsyncGenerator<{ a: number }> {
    for (let a = 0; a < count; a++) yield await Promise.resolve({ a });
  }
  const write = async (count: number): Promise<Uint8Array> => {
    const sink = new ByteSink();
    const writing = writeStorage(sink, table, { x: items(count) });
    let fetched: unknown;
    for (let step = writing.next(); step.done !== true; step = writing.next(fetched)) {
      fetched = await step.value;
    }
    return concatBytes(...sink.chunks());
  };
  expect(await write(2)).toEqual(encodeMessage(table, { x: [{ a: 0 }, { a: 1 }] }));
  expect(await write(0)).toEqual(encodeMessage(table, {}));
  expect(() => encodeMessage(table, { x: items(1) })).toThrow(TypeError);
});

test('pauses while it writes a long list', () => {
  const table = defineTable({ x: f.u32s() });
  const writing = writeStorage(new ByteSink(), table, { x: Array<number>(5000).fill(1) });
  expect([...writing].length).toBeGreaterThan(5);
});

test('keeps a large blob by reference, unless the size of the document is known', () => {
  const table = defineTable({ x: f.blob() });
  const x = new Uint8Array(1 << 20);
  const sink = new ByteSink();
  for (const wait of writeStorage(sink, table, { x })) expect(wait).toBeUndefined();
  expect(sink.chunks()).toContain(x);
  expect(encodeMessage(table, { x }).buffer).not.toBe(x.buffer);
});
