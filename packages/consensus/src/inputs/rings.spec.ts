import type { RingBytes } from '@monero-node/crypto';
import { rulesFor } from '../forks/fork-table.ts';
import {
  bytes32,
  chain,
  codeOf,
  keyInput,
  ringMember,
  type TestChainOptions,
} from '../testing/transactions.ts';
import { readRings } from './rings.ts';

const fail = (code: string, detail = ''): never => {
  throw Object.assign(new Error(detail), { code });
};
const read = (
  inputs: ReturnType<typeof keyInput>[],
  options: TestChainOptions = {},
  with_ = true,
) => readRings(rulesFor(16), inputs, chain(options), { withCommitments: with_, fail });
/** First bytes of the keys, then of the commitments. */
const firstBytes = ({ bytes, at, size }: RingBytes) =>
  Array.from({ length: 2 * size }, (_, i) => bytes[at + 32 * i]);
const numbered = (index: bigint) =>
  ringMember({ key: bytes32(Number(index)), commitment: bytes32(100 + Number(index)) });

test('keys lie before commitments, in the order of the offsets', () => {
  const input = { ...keyInput(9, 3), keyOffsets: [5n, 2n, (1n << 64n) - 4n] };
  const { rings } = read([input, { ...input, keyOffsets: [1n] }], { member: numbered });
  expect(rings.map(firstBytes)).toEqual([
    [5, 7, 3, 105, 107, 103],
    [1, 101],
  ]);
  for (const { bytes, at, size } of rings)
    for (let i = 0; i < 2 * size; i++)
      expect(new Set(bytes.subarray(at + 32 * i, at + 32 * (i + 1))).size).toBe(1);
});

test('rings that are kept do not change when others are read, however large', () => {
  const inputs = (count: number, size: number) =>
    Array.from({ length: count }, () => ({ ...keyInput(9, size), keyOffsets: offsets(size) }));
  const offsets = (size: number) => Array.from({ length: size }, () => 1n);
  const kept = [1, 255, 16, 257, 2000, 16].map((size) => ({
    size,
    ring: read(inputs(1, size), { member: (index) => numbered(index % 50n) }).rings[0],
  }));
  read(inputs(100, 300), { member: () => ringMember({ key: bytes32(255) }) });
  for (const { size, ring } of kept) {
    const indices = Array.from({ length: size }, (_, i) => (i + 1) % 50);
    expect(ring && firstBytes(ring)).toEqual([...indices, ...indices.map((index) => 100 + index)]);
  }
});

test('the commitment of a clear amount is computed once for a ring, and only where it is needed', () => {
  const asked: bigint[] = [];
  const member = () => ringMember({ commitment: undefined });
  const lookup = {
    ...chain({ member }),
    commitToAmount: (amount: bigint) => {
      asked.push(amount);
      return bytes32(Number(amount));
    },
  };
  const inputs = [keyInput(9, 3, 50n), keyInput(8, 2, 60n)];
  const options = { withCommitments: true, fail };
  const { rings } = readRings(rulesFor(16), inputs, lookup, options);
  expect(rings.map((ring) => firstBytes(ring).slice(ring.size))).toEqual([
    [50, 50, 50],
    [60, 60],
  ]);
  expect(asked).toEqual([50n, 60n]);
  readRings(rulesFor(16), inputs, lookup, { ...options, withCommitments: false });
  expect(asked).toHaveLength(2);
});

test('the youngest is the youngest last member', () => {
  const heights = new Map([
    [5n, 500],
    [7n, 70],
    [1n, 900],
    [3n, 80],
  ]);
  const member = (index: bigint) => ringMember({ height: heights.get(index) ?? 0 });
  const inputs = [
    { ...keyInput(9, 2), keyOffsets: [5n, 2n] },
    { ...keyInput(8, 2), keyOffsets: [1n, 2n] },
  ];
  expect(read(inputs, { member }).youngest).toBe(80);
  expect(read([], { member }).youngest).toBe(0);
});

describe('of several faults in a ring', () => {
  const codes = (
    member: NonNullable<TestChainOptions['member']>,
    keyOffsets: bigint[] = [1n, 1n, 1n],
  ) => codeOf(() => read([{ ...keyInput(9, 3), keyOffsets }], { member }));
  const locked = ringMember({ unlockTime: 5000n });
  const carrot = ringMember({ isCarrot: true });

  test('a missing member counts before a lock, and a lock before a Carrot output', () => {
    expect(codes((i) => (i === 3n ? undefined : i === 1n ? locked : carrot))).toBe(
      'ring-member-missing',
    );
    expect(codes((i) => (i === 3n ? locked : carrot))).toBe('ring-member-locked');
    expect(codes((i) => (i === 1n ? carrot : ringMember()))).toBe('carrot-ring-member');
    expect(codes(() => ringMember())).toBeUndefined();
  });

  test('the first locked member is named, and the first missing one', () => {
    const messageOf = (member: NonNullable<TestChainOptions['member']>): string => {
      try {
        read([{ ...keyInput(9, 3, 4n), keyOffsets: [1n, 1n, 1n] }], { member });
      } catch (error) {
        return (error as Error).message;
      }
      return '';
    };
    const lockedBy = (i: bigint) => ringMember({ unlockTime: i < 2n ? 0n : 5000n + i });
    expect(messageOf(lockedBy)).toBe('until 5002');
    expect(messageOf((i) => (i < 2n ? ringMember() : undefined))).toBe('amount 4, index 2');
  });

  test('a spent key image counts before its ring, and the ring of an earlier input before that', () => {
    const inputs = [keyInput(9, 3), keyInput(8, 3)];
    const missing = { member: () => undefined };
    expect(codeOf(() => read(inputs, { ...missing, spent: [9] }))).toBe('double-spend');
    expect(codeOf(() => read(inputs, { ...missing, spent: [8] }))).toBe('ring-member-missing');
    expect(codeOf(() => read([keyInput(9, 0)], { spent: [9] }))).toBe('empty-ring');
  });
});
