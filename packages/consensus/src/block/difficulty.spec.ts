import { fixedDifficulty, meetsDifficulty, nextDifficulty } from './difficulty.ts';
import { NETWORKS, withOverrides } from '../network/networks.ts';
import { readFixture } from '../testing/fixtures.ts';
import type { RecordedDifficulty } from '../testing/fixtures.ts';

const sums = (difficulties: readonly bigint[]): bigint[] => {
  let sum = 1n;
  return difficulties.map((difficulty) => (sum += difficulty));
};

describe('next difficulty', () => {
  test('agrees with every block of a chain that monerod built on chosen timestamps', () => {
    const recorded = readFixture<RecordedDifficulty>('difficulty.json.gz');
    const { timestamps } = recorded;
    const expected = recorded.difficulties.map(BigInt);
    const cumulative = sums(expected);
    expect(timestamps.length).toBe(860);
    for (let blocks = 0; blocks <= timestamps.length; blocks++) {
      const from = Math.max(0, blocks - 735);
      const found = nextDifficulty(
        timestamps.slice(from, blocks),
        cumulative.slice(from, blocks),
        120,
      );
      expect([blocks, found]).toEqual([blocks, expected[blocks] ?? BigInt(recorded.next)]);
    }
  });

  test('agrees with a calculation by hand: two blocks of work 10, 30 s apart', () => {
    expect(nextDifficulty([100, 130], [5n, 15n], 120)).toBe(40n);
    expect(nextDifficulty([130, 100], [5n, 15n], 120)).toBe(40n); // timestamps are sorted
    expect(nextDifficulty([100, 130], [5n, 15n], 60)).toBe(20n);
    expect(nextDifficulty([100, 131], [5n, 15n], 120)).toBe(39n); // 1200 / 31 = 38.7, rounded up
    expect(nextDifficulty([100, 100], [5n, 15n], 120)).toBe(1200n); // span is at least 1
  });

  test('is 1 for no block or one', () => {
    expect(nextDifficulty([], [], 120)).toBe(1n);
    expect(nextDifficulty([5], [1n], 120)).toBe(1n);
  });

  /** Block i at time 1000·i, of work i. */
  const chainOf = (length: number) => ({
    timestamps: Array.from({ length }, (_, i) => 1000 * i),
    cumulative: sums(Array.from({ length }, (_, i) => BigInt(i))),
  });
  const expectedFor = (low: number, high: number) => {
    const work = (high * (high + 1) - low * (low + 1)) / 2;
    return BigInt(Math.ceil((work * 120) / (1000 * (high - low))));
  };
  test.each([
    // length, lowest and highest block that count
    [600, 0, 599],
    [601, 1, 600], // the odd one is cut at the old end
    [602, 1, 600],
    [720, 60, 659],
    [721, 60, 659], // the newest beyond 720 are the lag
    [735, 60, 659],
  ])('uses the work of %i blocks from number %i to number %i', (length, low, high) => {
    const { timestamps, cumulative } = chainOf(length);
    expect(nextDifficulty(timestamps, cumulative, 120)).toBe(expectedFor(low, high));
  });

  test('returns 0 for a result beyond 128 bits', () => {
    const limit = 1n << 128n;
    expect(nextDifficulty([0, 120], [0n, limit - 1n], 120)).toBe(limit - 1n);
    expect(nextDifficulty([0, 120], [0n, limit], 120)).toBe(0n);
  });
});

describe('proof of work', () => {
  const hash = (value: bigint) => {
    const bytes = new Uint8Array(32);
    for (let i = 0; i < 32; i++) bytes[i] = Number((value >> BigInt(8 * i)) & 255n);
    return bytes;
  };
  const top = 1n << 256n;

  test('is valid while hash times difficulty is below 2^256', () => {
    expect(meetsDifficulty(hash(top - 1n), 1n)).toBe(true);
    expect(meetsDifficulty(hash(top / 2n), 2n)).toBe(false);
    expect(meetsDifficulty(hash(top / 2n - 1n), 2n)).toBe(true);
    expect(meetsDifficulty(hash(0n), (1n << 128n) - 1n)).toBe(true);
    for (const difficulty of [3n, 1000n, (1n << 64n) - 1n, 1n << 64n, (1n << 127n) + 12345n]) {
      const most = (top - 1n) / difficulty;
      expect(meetsDifficulty(hash(most), difficulty)).toBe(true);
      expect(meetsDifficulty(hash(most + 1n), difficulty)).toBe(false);
    }
  });

  test('accepts a hash that is a view into a larger buffer', () => {
    const buffer = new Uint8Array(40).fill(255);
    expect(meetsDifficulty(buffer.fill(0, 8).subarray(8), 1n << 100n)).toBe(true);
  });

  test('never meets difficulty 0', () => {
    expect(meetsDifficulty(hash(0n), 0n)).toBe(false);
  });
});

test('does not apply a fixed difficulty to genesis', () => {
  const fixed = withOverrides(NETWORKS.regtest, { fixedDifficulty: 5n });
  expect(fixedDifficulty(fixed, 0)).toBe(1n);
  expect(fixedDifficulty(fixed, 1)).toBe(5n);
  expect(fixedDifficulty(NETWORKS.mainnet, 1)).toBeUndefined();
});
