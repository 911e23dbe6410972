import { fromHex, toHex } from '../bytes.ts';
import { DecodeError } from '../errors.ts';
import { fromBase64, readFixture } from '../testing/fixtures.ts';
import { decodeStorage, encodeStorage, type StorageSection, type StorageValue } from './section.ts';
import { EMPTY_TABLE } from './fields.ts';
import { LEVIN_STORAGE_LIMITS, type StorageType } from './format.ts';
import { decodeMessage } from './read.ts';

/** Whether monerod 0.18.0.0 accepted these documents as bodies of a `.bin` call. */
interface Accepted {
  documents: { what: string; hex: string; accepted: boolean }[];
  /** By kind of nesting and innermost content: the depth of the deepest document that is accepted. */
  deepestAccepted: Record<string, Record<string, number>>;
}
const ACCEPTED = readFixture('storage-accepted.json.gz') as Accepted;
const HEADER = '011101010101020101';

/** Whether a document is accepted, both when all of it is built and when all of it is skipped. */
function accepts(hex: string): boolean {
  const built = succeeds(() => decodeStorage(fromHex(hex)));
  expect(succeeds(() => decodeMessage(EMPTY_TABLE, fromHex(hex)))).toBe(built);
  return built;
}

function succeeds(decode: () => unknown): boolean {
  try {
    decode();
    return true;
  } catch (error) {
    expect(error).toBeInstanceOf(DecodeError);
    return false;
  }
}

describe('accepts what monerod accepts', () => {
  test.each(ACCEPTED.documents.map((d) => [d.what, d] as const))('%s', (_, { hex, accepted }) => {
    expect(accepts(hex)).toBe(accepted);
  });

  /** Section bytes with one entry "x", or none. */
  const LEAVES: Record<string, string> = {
    empty: '00',
    u8: '0401780801',
    bool: '0401780b01',
    string: '0401780a0461',
    u8array: '040178880401',
    emptyarray: '0401788800',
    boolarray: '0401788b0401',
    strarray: '0401788a040461',
    emptystrarray: '0401788a00',
    marked: '0401780d880401',
  };
  const object = '0401610c';
  const array = '0401618c04';
  const NESTINGS: Record<string, (depth: number) => string> = {
    objects: (depth) => object.repeat(depth),
    'object arrays': (depth) => array.repeat(depth),
    'marked object arrays': (depth) => '0401610d8c04'.repeat(depth),
    'object arrays in 1 object': (depth) => object + array.repeat(depth),
    'object arrays in 2 objects': (depth) => object.repeat(2) + array.repeat(depth),
  };
  for (const [nesting, limits] of Object.entries(ACCEPTED.deepestAccepted)) {
    test.each(Object.entries(limits))(`${nesting} around %s: %d deep`, (leaf, deepest) => {
      const document = (depth: number) =>
        HEADER + (NESTINGS[nesting]?.(depth) ?? '') + (LEAVES[leaf] ?? '');
      expect(accepts(document(deepest))).toBe(true);
      expect(accepts(document(deepest + 1))).toBe(false);
    });
  }
});

describe('bodies sent by monerod', () => {
  const answers = readFixture('binary-answers.json.gz') as { path: string; answer_b64: string }[];
  test.each(answers.map((a) => [a.path, a.answer_b64] as const))('%s', (_, answer) => {
    const bytes = fromBase64(answer);
    const section = decodeStorage(bytes);
    expect(section.get('status')).toEqual({ type: 'string', value: fromHex('4f4b') });
    expect(section.get('untrusted')).toEqual({ type: 'bool', value: false });
    expect(toHex(encodeStorage(section))).toBe(toHex(bytes));
  });
});

describe('encoding', () => {
  const encoded = (entries: [string, StorageValue][]) =>
    toHex(encodeStorage(new Map(entries))).slice(HEADER.length);

  test('writes every type', () => {
    expect(encoded([['a', { type: 'int64', value: -2n }]])).toBe('04016101feffffffffffffff');
    expect(encoded([['a', { type: 'int32', value: -2 }]])).toBe('04016102feffffff');
    expect(encoded([['a', { type: 'int16', value: -2 }]])).toBe('04016103feff');
    expect(encoded([['a', { type: 'int8', value: -2 }]])).toBe('04016104fe');
    expect(encoded([['a', { type: 'uint64', value: 258n }]])).toBe('040161050201000000000000');
    expect(encoded([['a', { type: 'uint32', value: 2 ** 32 - 1 }]])).toBe('04016106ffffffff');
    expect(encoded([['a', { type: 'uint16', value: 258 }]])).toBe('040161070201');
    expect(encoded([['a', { type: 'uint8', value: 255 }]])).toBe('04016108ff');
    expect(encoded([['a', { type: 'double', value: 1 }]])).toBe('04016109000000000000f03f');
    expect(encoded([['a', { type: 'string', value: fromHex('00ff') }]])).toBe('0401610a0800ff');
    expect(encoded([['a', { type: 'bool', value: true }]])).toBe('0401610b01');
    expect(encoded([['a', { type: 'object', value: new Map() }]])).toBe('0401610c00');
    expect(encoded([['a', { type: 'array', of: 'uint16', items: [1, 2] }]])).toBe(
      '040161870801000200',
    );
  });

  test('writes names in byte order and leaves out arrays without elements', () => {
    const value: StorageValue = { type: 'uint8', value: 1 };
    const empty: StorageValue = { type: 'array', of: 'uint8', items: [] };
    expect(
      encoded([
        ['b', value],
        ['_', value],
        ['c', empty],
        ['B', value],
        ['aa', value],
      ]),
    ).toBe('10' + '01420801' + '015f0801' + '0261610801' + '01620801');
  });

  test.each([
    [63, 'fc'],
    [64, '0101'],
    [16383, 'fdff'],
    [16384, '02000100'],
    [70000, 'c2450400'],
  ])('%d bytes of string have the length %s', (length, size) => {
    const hex = encoded([['a', { type: 'string', value: new Uint8Array(length) }]]);
    expect(hex.slice(0, 8 + size.length)).toBe('0401610a' + size);
    expect(hex).toHaveLength(8 + size.length + 2 * length);
    expect(decodeStorage(fromHex(HEADER + hex)).get('a')).toEqual({
      type: 'string',
      value: new Uint8Array(length),
    });
  });

  test.each<[string, StorageValue]>([
    ['a negative uint8', { type: 'uint8', value: -1 }],
    ['a fraction', { type: 'uint8', value: 1.5 }],
    ['a large int8', { type: 'int8', value: 128 }],
    ['a large uint64', { type: 'uint64', value: 2n ** 64n }],
    ['a large int64', { type: 'int64', value: 2n ** 63n }],
    ['items of another type', { type: 'array', of: 'string', items: [1] }],
  ])('refuses %s', (_, value) => {
    expect(() => encodeStorage(new Map([['a', value]]))).toThrow(RangeError);
  });

  test.each(['', 'x'.repeat(255), '€'])('refuses the name %j', (name) => {
    const value: StorageValue = { type: 'bool', value: true };
    expect(() => encodeStorage(new Map([[name, value]]))).toThrow(RangeError);
  });
});

describe('limits', () => {
  const nothing: StorageSection = new Map();
  const array = (
    of: StorageType,
    count: number,
    item: StorageValue['value' & keyof StorageValue],
  ) =>
    encodeStorage(
      new Map<string, StorageValue>([['a', { type: 'array', of, items: Array(count).fill(item) }]]),
    );

  test('elements of arrays count as objects and strings', () => {
    const objects = array('object', 8192, nothing as never);
    const strings = array('string', 16384, new Uint8Array(1) as never);
    expect(decodeStorage(objects, LEVIN_STORAGE_LIMITS).size).toBe(1);
    expect(decodeStorage(strings, LEVIN_STORAGE_LIMITS).size).toBe(1);
    const moreObjects = array('object', 8193, nothing as never);
    const moreStrings = array('string', 16385, new Uint8Array(1) as never);
    expect(() => decodeStorage(moreObjects, LEVIN_STORAGE_LIMITS)).toThrow(DecodeError);
    expect(() => decodeStorage(moreStrings, LEVIN_STORAGE_LIMITS)).toThrow(DecodeError);
    expect(decodeStorage(moreObjects).size).toBe(1);
  });

  test('fields count over all sections; the root does not count as an object', () => {
    const inner: StorageSection = new Map([['x', { type: 'bool', value: true }]]);
    const bytes = encodeStorage(
      new Map([
        ['a', { type: 'object', value: inner }],
        ['b', { type: 'object', value: inner }],
      ]),
    );
    expect(decodeStorage(bytes, { fields: 4, objects: 2 }).size).toBe(2);
    expect(() => decodeStorage(bytes, { fields: 3 })).toThrow(DecodeError);
    expect(() => decodeStorage(bytes, { objects: 1 })).toThrow(DecodeError);
  });
});
