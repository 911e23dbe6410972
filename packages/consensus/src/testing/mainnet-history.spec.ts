import { longTermWeight } from '../block/block-weight.ts';
import { nextDifficulty } from '../block/difficulty.ts';
import { checkVersion } from '../block/header.ts';
import { LongTermMedian } from '../block/long-term-median.ts';
import { rulesFor } from '../forks/fork-table.ts';
import { NETWORKS } from '../network/networks.ts';
import { versionAtHeight } from '../network/hard-forks.ts';
import { readFixture } from './fixtures.ts';

const { mainnet } = NETWORKS;
/** Blocks that the difficulty of the next one depends on. */
const DIFFICULTY_BLOCKS = 735;
const TARGET = 120;

test('the difficulty of 1,265 blocks of mainnet follows from the blocks before them', () => {
  const history = readFixture<{ cumulative: string[]; timestamps: number[] }>(
    'mainnet-difficulty.json.gz',
  );
  const { timestamps } = history;
  const cumulative = history.cumulative.map(BigInt);
  expect(timestamps).toHaveLength(2000);
  for (let i = DIFFICULTY_BLOCKS; i < timestamps.length; i++) {
    const from = i - DIFFICULTY_BLOCKS;
    const found = nextDifficulty(timestamps.slice(from, i), cumulative.slice(from, i), TARGET);
    const actual = (cumulative[i] as bigint) - (cumulative[i - 1] as bigint);
    if (found !== actual) expect([i, found]).toEqual([i, actual]);
  }
});

test('the long-term weights of 100,000 blocks of mainnet follow from those before them', () => {
  const { from, weights, longTerm } = readFixture<{
    from: number;
    weights: number[];
    longTerm: number[];
  }>('mainnet-weights.json.gz');
  expect(weights).toHaveLength(200_000);
  const median = LongTermMedian.from(longTerm.slice(0, 100_000));
  for (let i = 100_000; i < weights.length; i++) {
    const rules = rulesFor(versionAtHeight(mainnet, from + i));
    const found = longTermWeight(rules, weights[i] as number, median.median);
    if (found !== longTerm[i]) expect([from + i, found]).toEqual([from + i, longTerm[i]]);
    median.push(found);
  }
});

test('the versions and votes of 10,800 blocks around the last forks of mainnet are valid', () => {
  const { from, versions, votes } = readFixture<{
    from: number;
    versions: number[];
    votes: number[];
  }>('mainnet-votes.json.gz');
  expect(versions).toHaveLength(10_800);
  expect(new Set(versions)).toEqual(new Set([14, 15]));
  for (const [i, majorVersion] of versions.entries()) {
    const header = { majorVersion, minorVersion: votes[i] as number };
    checkVersion(mainnet, from + i, { ...HEADER, ...header });
    const wrong = { ...HEADER, ...header, majorVersion: majorVersion + 1 };
    expect(() => {
      checkVersion(mainnet, from + i, wrong);
    }).toThrow();
  }
});

const HEADER = { timestamp: 0, prevId: new Uint8Array(32), nonce: 0 };

test('the difficulties of upstream’s own test follow from its timestamps', () => {
  const table = readFixture<{ timestamps: number[]; difficulties: string[] }>(
    'upstream-difficulty.json.gz',
  );
  const difficulties = table.difficulties.map(BigInt);
  expect(difficulties).toHaveLength(1000);
  const cumulative: bigint[] = [];
  for (const [i, difficulty] of difficulties.entries()) {
    const from = Math.max(0, i - DIFFICULTY_BLOCKS);
    const found = nextDifficulty(table.timestamps.slice(from, i), cumulative.slice(from), TARGET);
    if (found !== difficulty) expect([i, found]).toEqual([i, difficulty]);
    cumulative.push((cumulative[i - 1] ?? 0n) + difficulty);
  }
});
