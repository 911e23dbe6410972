import { fromHex, toHex } from '../bytes.ts';
import { DecodeError } from '../errors.ts';
import { fromBase64, readFixture } from '../testing/fixtures.ts';
import { BLOCK_COMPLETE_ENTRY, type TxBlobEntry } from './block-complete-entry.ts';
import { decodeStorage, encodeStorage, type StorageValue } from './section.ts';
import { f, omitDefault, withDefault } from './fields.ts';
import {
  defineTable,
  type AnyField,
  type Field,
  type Fields,
  type MessageOf,
  type Table,
} from './table.ts';
import { encodeMessage } from './write.ts';
import { decodeMessage } from './read.ts';

const HEADER = '011101010101020101';

/** Whether monerod 0.18.0.0 accepted an entry (type byte and value) where a field of some type was expected. */
interface Accepted {
  entries: Record<string, string>;
  accepted: Record<string, string[]>;
  refused: Record<string, string[]>;
}
const ACCEPTED = readFixture('message-accepted.json.gz') as Accepted;

describe('accepts what monerod accepts', () => {
  const index = defineTable({ amount: f.u64(), index: f.u64() });
  const FIELDS: Record<string, AnyField> = {
    u64: f.u64(),
    bool: f.bool(),
    string: f.blob(),
    pod: f.pod(32),
    'pod list': f.pods(32),
    'u64 array': f.u64s(),
    'object array': f.objects(index),
  };

  function decodes(kind: string, entry: string): boolean {
    const schema = defineTable({ x: FIELDS[kind] as AnyField });
    try {
      decodeMessage(schema, fromHex(`${HEADER}040178${entry}`));
      return true;
    } catch (error) {
      expect(error).toBeInstanceOf(DecodeError);
      return false;
    }
  }

  test.each(Object.keys(FIELDS))('for %s', (kind) => {
    const entry = (name: string) => ACCEPTED.entries[name] as string;
    // Recorded from 0.18.0.0, which takes text of digits for a number. 0.18.5.3 does not.
    const text = { u64: '0a', 'u64 array': '8a' }[kind];
    const isTextForNumber = (name: string) => text !== undefined && entry(name).startsWith(text);
    const recorded = ACCEPTED.accepted[kind] as string[];
    const accepted = recorded.filter((name) => !isTextForNumber(name));
    const refused = [
      ...(ACCEPTED.refused[kind] as string[]),
      ...recorded.filter((name) => isTextForNumber(name)),
    ];
    expect(accepted.filter((name) => !decodes(kind, entry(name)))).toEqual([]);
    expect(refused.filter((name) => decodes(kind, entry(name)))).toEqual([]);
    expect(accepted.length).toBeGreaterThan(0);
  });
});

describe('answers sent by monerod, decoded and encoded again', () => {
  const base = {
    credits: f.u64(),
    status: f.text(),
    top_hash: f.text(),
    untrusted: f.bool(),
  };
  const outputIndices = defineTable({
    indices: f.objects(defineTable({ indices: f.u64s() })),
  });
  const SCHEMAS = {
    '/get_blocks.bin': defineTable({
      ...base,
      blocks: f.objects(BLOCK_COMPLETE_ENTRY),
      current_height: f.safeU64(),
      output_indices: f.objects(outputIndices),
      start_height: f.safeU64(),
    }),
    '/get_hashes.bin': defineTable({
      ...base,
      current_height: f.safeU64(),
      m_block_ids: f.pods(32),
      start_height: f.safeU64(),
    }),
    '/get_o_indexes.bin': defineTable({ ...base, o_indexes: f.u64s() }),
    '/get_outs.bin': defineTable({
      ...base,
      outs: f.objects(
        defineTable({
          height: f.safeU64(),
          key: f.pod(32),
          mask: f.pod(32),
          txid: f.pod(32),
          unlocked: f.bool(),
        }),
      ),
    }),
  };
  const answers = readFixture('binary-answers.json.gz') as { path: string; answer_b64: string }[];

  test.each(Object.keys(SCHEMAS))('%s', (path) => {
    const schema = SCHEMAS[path as keyof typeof SCHEMAS] as Table;
    const matching = answers.filter((answer) => answer.path === path);
    expect(matching.length).toBeGreaterThan(0);
    for (const { answer_b64 } of matching) {
      const bytes = fromBase64(answer_b64);
      expect(toHex(encodeMessage(schema, decodeMessage(schema, bytes)))).toBe(toHex(bytes));
    }
  });

  test('get_blocks with and without pruning', () => {
    const flags = answers
      .filter(({ path }) => path === '/get_blocks.bin')
      .flatMap((a) => decodeMessage(SCHEMAS['/get_blocks.bin'], fromBase64(a.answer_b64)).blocks)
      .filter(({ txs }) => txs.length > 0)
      .map(({ pruned }) => pruned);
    expect(new Set(flags)).toEqual(new Set([true, false]));
  });

  test('get_outs is read with its fields', () => {
    const answer = answers.find(({ path }) => path === '/get_outs.bin');
    const message = decodeMessage(SCHEMAS['/get_outs.bin'], fromBase64(answer?.answer_b64 ?? ''));
    expect(message.status).toBe('OK');
    expect(message.outs).toHaveLength(3);
    expect(message.outs.every((out) => out.height > 0 && out.key.length === 32)).toBe(true);
  });
});

describe('fields', () => {
  const ALL = defineTable({
    u8: f.u8(),
    u16: f.u16(),
    u32: f.u32(),
    u64: f.u64(),
    num64: f.safeU64(),
    i64: f.i64(),
    bool: f.bool(),
    string: f.text(),
    blob: f.blob(),
    pod: f.pod(4),
    pods: f.pods(2),
    u64Blob: f.packedU64s(),
    object: f.object(defineTable({ a: f.u8() })),
    objects: f.objects(defineTable({ a: f.u8() })),
    blobs: f.blobs(),
    strings: f.texts(),
    u64s: f.u64s(),
    numbers64: f.u64s(),
    u32s: f.u32s(),
  });
  const ZERO: MessageOf<typeof ALL> = {
    u8: 0,
    u16: 0,
    u32: 0,
    u64: 0n,
    num64: 0,
    i64: 0n,
    bool: false,
    string: '',
    blob: new Uint8Array(0),
    pod: new Uint8Array(4),
    pods: [],
    u64Blob: [],
    object: { a: 0 },
    objects: [],
    blobs: [],
    strings: [],
    u64s: [],
    numbers64: [],
    u32s: [],
  };
  const SAMPLE: MessageOf<typeof ALL> = {
    u8: 1,
    u16: 2,
    u32: 3,
    u64: 2n ** 64n - 1n,
    num64: 5,
    i64: -6n,
    bool: true,
    string: 'ä',
    blob: fromHex('ff00'),
    pod: fromHex('01020304'),
    pods: [fromHex('0102'), fromHex('0304')],
    u64Blob: [1n, 256n],
    object: { a: 7 },
    objects: [{ a: 8 }, { a: 9 }],
    blobs: [fromHex('aa'), fromHex('')],
    strings: ['x'],
    u64s: [1n],
    numbers64: [2n],
    u32s: [3],
  };

  test('absent fields are read as zero, empty or false', () => {
    expect(decodeMessage(ALL, fromHex(HEADER + '00'))).toEqual(ZERO);
  });

  test('each kind is written as its type', () => {
    const section = decodeStorage(encodeMessage(ALL, SAMPLE));
    const expected: Record<string, StorageValue> = {
      u8: { type: 'uint8', value: 1 },
      u16: { type: 'uint16', value: 2 },
      u32: { type: 'uint32', value: 3 },
      u64: { type: 'uint64', value: 2n ** 64n - 1n },
      num64: { type: 'uint64', value: 5n },
      i64: { type: 'int64', value: -6n },
      bool: { type: 'bool', value: true },
      string: { type: 'string', value: fromHex('c3a4') },
      blob: { type: 'string', value: fromHex('ff00') },
      pod: { type: 'string', value: fromHex('01020304') },
      pods: { type: 'string', value: fromHex('01020304') },
      u64Blob: { type: 'string', value: fromHex('01000000000000000001000000000000') },
      object: { type: 'object', value: new Map([['a', { type: 'uint8', value: 7 }]]) },
      objects: {
        type: 'array',
        of: 'object',
        items: [
          new Map([['a', { type: 'uint8', value: 8 }]]),
          new Map([['a', { type: 'uint8', value: 9 }]]),
        ],
      },
      blobs: { type: 'array', of: 'string', items: [fromHex('aa'), fromHex('')] },
      strings: { type: 'array', of: 'string', items: [fromHex('78')] },
      u64s: { type: 'array', of: 'uint64', items: [1n] },
      numbers64: { type: 'array', of: 'uint64', items: [2n] },
      u32s: { type: 'array', of: 'uint32', items: [3] },
    };
    expect(Object.fromEntries(section)).toEqual(expected);
    expect(decodeMessage(ALL, encodeStorage(section))).toEqual(SAMPLE);
    expect(decodeMessage(ALL, encodeMessage(ALL, SAMPLE))).toEqual(SAMPLE);
  });

  test('optional fields are left out when they equal their default, and have it when absent', () => {
    const schema = defineTable({
      dandelionpp_fluff: omitDefault(withDefault(f.bool(), true)),
      seed: omitDefault(f.u32()),
      id: omitDefault(withDefault(f.pod(2), fromHex('abcd'))),
    });
    const defaults = { dandelionpp_fluff: true, seed: 0, id: fromHex('abcd') };
    expect(toHex(encodeMessage(schema, defaults))).toBe(HEADER + '00');
    expect(decodeMessage(schema, fromHex(HEADER + '00'))).toEqual(defaults);
    const other = { dandelionpp_fluff: false, seed: 1, id: fromHex('0000') };
    expect([...decodeStorage(encodeMessage(schema, other)).keys()]).toEqual([
      'dandelionpp_fluff',
      'id',
      'seed',
    ]);
    expect(decodeMessage(schema, encodeMessage(schema, other))).toEqual(other);
  });

  test('a pod or packed list of the wrong size counts as absent', () => {
    const schema = defineTable({
      hash: withDefault(f.pod(4), fromHex('01020304')),
      list: f.pods(4),
      weights: f.packedU64s(),
    });
    const bad: StorageValue = { type: 'string', value: new Uint8Array(5) };
    const section = new Map([
      ['hash', bad],
      ['list', bad],
      ['weights', bad],
    ]);
    expect(decodeMessage(schema, encodeStorage(section))).toEqual({
      hash: fromHex('01020304'),
      list: [],
      weights: [],
    });
  });

  test('a field read as a number refuses integers above 2^53 - 1', () => {
    const bytes = encodeStorage(new Map([['a', { type: 'uint64', value: 2n ** 53n }]]));
    expect(decodeMessage(defineTable({ a: f.u64() }), bytes)).toEqual({ a: 2n ** 53n });
    expect(() => decodeMessage(defineTable({ a: f.safeU64() }), bytes)).toThrow(DecodeError);
  });

  test('refuses to write values that do not fit', () => {
    const write = <T>(one: Field<unknown, T, boolean>, value: T) =>
      encodeMessage(defineTable<Fields>({ one }), { one: value });
    expect(() => write(f.u8(), 256)).toThrow(RangeError);
    expect(() => write(f.u64(), -1n)).toThrow(RangeError);
    expect(() => write(f.safeU64(), 0.5)).toThrow(RangeError);
    expect(() => write(f.pod(4), new Uint8Array(3))).toThrow(RangeError);
    expect(() => write(f.pods(4), [new Uint8Array(3)])).toThrow(RangeError);
    expect(() => write(f.packedU64s(), [2n ** 64n])).toThrow(RangeError);
  });

  test.each(['5', '18446744073709551615', '2017-05-06T16:27:06Z'])(
    'text is no number: %s',
    (text) => {
      const value = new TextEncoder().encode(text);
      const bytes = encodeStorage(new Map([['a', { type: 'string', value }]]));
      expect(() => decodeMessage(defineTable({ a: f.u64() }), bytes)).toThrow(DecodeError);
    },
  );
});

describe('block_complete_entry', () => {
  const block = fromHex('b10c');
  const tx: TxBlobEntry = { blob: fromHex('aabb'), prunable_hash: new Uint8Array(32).fill(1) };
  const sectionOf = (entry: MessageOf<typeof BLOCK_COMPLETE_ENTRY>) =>
    Object.fromEntries(decodeStorage(encodeMessage(BLOCK_COMPLETE_ENTRY, entry)));

  test('without pruning txs are strings', () => {
    const entry = { block, block_weight: 0, pruned: false, txs: [tx.blob] };
    expect(sectionOf(entry)).toEqual({
      block: { type: 'string', value: block },
      txs: { type: 'array', of: 'string', items: [tx.blob] },
    });
    expect(decodeMessage(BLOCK_COMPLETE_ENTRY, encodeMessage(BLOCK_COMPLETE_ENTRY, entry))).toEqual(
      entry,
    );
  });

  test('pruned txs are objects', () => {
    const entry = { block, block_weight: 1234, pruned: true, txs: [tx] };
    const txSection = new Map<string, StorageValue>([
      ['blob', { type: 'string', value: tx.blob }],
      ['prunable_hash', { type: 'string', value: tx.prunable_hash }],
    ]);
    expect(sectionOf(entry)).toEqual({
      block: { type: 'string', value: block },
      block_weight: { type: 'uint64', value: 1234n },
      pruned: { type: 'bool', value: true },
      txs: { type: 'array', of: 'object', items: [txSection] },
    });
    expect(decodeMessage(BLOCK_COMPLETE_ENTRY, encodeMessage(BLOCK_COMPLETE_ENTRY, entry))).toEqual(
      entry,
    );
  });

  test('the pruned flag decides which form is read', () => {
    const objects: StorageValue = { type: 'array', of: 'object', items: [new Map()] };
    const strings: StorageValue = { type: 'array', of: 'string', items: [tx.blob] };
    const read = (pruned: boolean, txs: StorageValue) =>
      decodeMessage(
        BLOCK_COMPLETE_ENTRY,
        encodeStorage(
          new Map<string, StorageValue>([
            ['pruned', { type: 'bool', value: pruned }],
            ['txs', txs],
          ]),
        ),
      );
    expect(() => read(false, objects)).toThrow(DecodeError);
    expect(read(true, strings).txs).toEqual([]);
    expect(read(false, strings).txs).toEqual([tx.blob]);
  });
});
