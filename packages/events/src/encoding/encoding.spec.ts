import { Yielder } from '@monero-node/base';
import { DecodeError, toHex } from '@monero-node/codec';
import type { EntryFacts } from '../broker/entry-facts.ts';
import { cutIntoParts, PART_BYTES, PartJoiner } from '../broker/payload-parts.ts';
import type { ChainMessage } from '../messages/chain-message.ts';
import type { EventMessage } from '../messages/tables.ts';
import { exampleBlock, exampleId, exampleTransaction } from '../testing/example-block.ts';
import { encodeBlockAdded } from './encode-block.ts';
import { decodeEvent, encodeEvent, ENCODINGS } from './encoding.ts';

const added: ChainMessage = { version: 1, type: 'block.added', block: exampleBlock(7, 3) };
const messages: readonly EventMessage[] = [
  added,
  { version: 1, type: 'block.removed', height: 7, id: exampleId(7), prev_id: exampleId(6) },
  { version: 1, type: 'pool.added', received_at: 1_700_000_000, tx: exampleTransaction(5) },
  { version: 1, type: 'pool.removed', id: exampleId(5), reason: 'mined' },
  {
    version: 1,
    type: 'counters',
    height: 8,
    top_id: exampleId(7),
    timestamp: 1,
    difficulty: '1',
    cumulative_difficulty: '8',
    total_txs: 3,
    rct_outputs: 9,
    generated_coins: 2n ** 64n - 1n,
  },
];

describe.each(ENCODINGS)('messages as %s', (encoding) => {
  test.each(messages.map((message) => [message.type, message] as const))(
    '%s reads as it was written',
    (type, message) => {
      expect(decodeEvent(encodeEvent(message, encoding), type, encoding)).toEqual(message);
    },
  );

  test('a block of 2,000 transactions is written in slices and travels in parts', async () => {
    const block = exampleBlock(9, 2000);
    const bytes = await encodeBlockAdded(block, encoding, new Yielder());
    const message: ChainMessage = { version: 1, type: 'block.added', block };
    expect(toHex(bytes)).toBe(toHex(encodeEvent(message, encoding)));
    const parts = cutIntoParts(bytes, PART_BYTES);
    expect(parts.length).toBeGreaterThan(2);
    expect(Math.max(...parts.map(({ length }) => length))).toBeLessThanOrEqual(PART_BYTES);
    const joiner = new PartJoiner();
    const joined = parts.map((part, i) => joiner.add(factsOf(i, parts.length), part));
    expect(joined.slice(0, -1).every((whole) => whole === undefined)).toBe(true);
    const whole = joined.at(-1) ?? new Uint8Array();
    expect(decodeEvent(whole, 'block.added', encoding)).toEqual(message);
  });

  test('another type and another version are refused', () => {
    const bytes = encodeEvent(added, encoding);
    expect(() => decodeEvent(bytes, 'block.removed', encoding)).toThrow(DecodeError);
    expect(() => decodeEvent(bytes, 'toString', encoding)).toThrow(DecodeError);
    const later = encodeEvent({ ...added, version: 2 as 1 }, encoding);
    expect(() => decodeEvent(later, 'block.added', encoding)).toThrow('version 2');
  });
});

function factsOf(part: number, parts: number): EntryFacts {
  return {
    type: 'block.added',
    encoding: 'json',
    height: 9,
    id: 'a',
    previous: 'b',
    part,
    parts,
    difficulty: 1n,
    cumulativeDifficulty: 2n,
  };
}

describe('JSON', () => {
  const text = Buffer.from(encodeEvent(added, 'json')).toString();
  const read = (changed: string): EventMessage =>
    decodeEvent(Buffer.from(changed), 'block.added', 'json');

  test('large integers are texts, so that every reader keeps them', () => {
    expect(text).toContain('"generated_coins":"18446744073709551615"');
    expect(text).toContain('"height":7');
  });

  test('members that are not known are ignored', () => {
    expect(read(text.replace('{"version"', '{"later":[1],"version"'))).toEqual(added);
  });

  test.each([
    ['"height":7', '"height":-1'],
    ['"height":7', '"height":7.5'],
    ['"height":7', '"height":"7"'],
    ['"nonce":4294967295', '"nonce":4294967296'],
    ['"18446744073709551615"', '"18446744073709551616"'],
    ['"18446744073709551615"', '"1e3"'],
    [`"id":"${toHex(exampleId(7))}"`, '"id":"00"'],
    ['"txs":[', '"txs":7,"x":['],
    ['"fees":"1000000",', ''],
  ])('%s as %s is refused', (from, to) => {
    expect(text).toContain(from);
    expect(() => read(text.replace(from, to))).toThrow(DecodeError);
  });

  test.each(['', '[]', 'null', '{', '7'])('%j is refused', (bad) => {
    expect(() => read(bad)).toThrow(DecodeError);
  });
});

describe('parts', () => {
  test('a message that begins anew drops what was cut off', () => {
    const joiner = new PartJoiner();
    expect(joiner.add(factsOf(0, 3), Uint8Array.of(1))).toBeUndefined();
    expect(joiner.add(factsOf(0, 2), Uint8Array.of(2))).toBeUndefined();
    expect(joiner.add(factsOf(1, 2), Uint8Array.of(3))).toEqual(Buffer.of(2, 3));
  });

  test('a part that follows nothing is refused', () => {
    const joiner = new PartJoiner();
    expect(() => joiner.add(factsOf(1, 2), Uint8Array.of(1))).toThrow(DecodeError);
    joiner.add(factsOf(0, 3), Uint8Array.of(1));
    expect(() => joiner.add(factsOf(2, 3), Uint8Array.of(1))).toThrow(DecodeError);
  });

  test('no bytes are one part', () => {
    expect(cutIntoParts(new Uint8Array(), 4)).toHaveLength(1);
    expect(cutIntoParts(new Uint8Array(8), 4)).toHaveLength(2);
    expect(cutIntoParts(new Uint8Array(9), 4)).toHaveLength(3);
  });
});
