import { adjustedTime, checkTimestamp, checkVersion, voteOf } from './header.ts';
import { NETWORKS } from '../network/networks.ts';
import { rulesFor } from '../forks/fork-table.ts';
import { readFixture } from '../testing/fixtures.ts';
import type { RecordedChains } from '../testing/fixtures.ts';
import { bytes32, codeOf } from '../testing/transactions.ts';

const header = (majorVersion: number, minorVersion: number) => ({
  majorVersion,
  minorVersion,
  timestamp: 0,
  prevId: bytes32(0),
  nonce: 0,
});

describe('version and vote', () => {
  const check = (height: number, major: number, minor: number) =>
    codeOf(() => checkVersion(NETWORKS.mainnet, height, header(major, minor)));

  test('counts minor version 0 as a vote for version 1', () => {
    expect(voteOf({ minorVersion: 0 })).toBe(1);
    expect(voteOf({ minorVersion: 7 })).toBe(7);
    expect(check(5, 1, 0)).toBeUndefined();
    expect(check(1009827, 2, 0)).toBe('wrong-version');
  });

  test('requires the major version of the fork, and a vote at least that high', () => {
    expect(check(3_000_000, 16, 16)).toBeUndefined();
    expect(check(3_000_000, 16, 255)).toBeUndefined();
    expect(check(3_000_000, 16, 15)).toBe('wrong-version');
    expect(check(3_000_000, 15, 16)).toBe('wrong-version');
    expect(check(3_000_000, 17, 17)).toBe('wrong-version');
    expect(check(2689607, 16, 16)).toBe('wrong-version');
    expect(check(2689607, 15, 16)).toBeUndefined();
  });
});

describe('timestamps', () => {
  const sixty = Array.from({ length: 60 }, (_, i) => 1000 + 10 * i); // median (1290 + 1300) / 2
  const check = (timestamp: number, recent = sixty, now = 100_000) =>
    codeOf(() => checkTimestamp(timestamp, recent, 500, now));

  test('accepts up to two hours ahead of the clock', () => {
    expect(check(107_200)).toBeUndefined();
    expect(check(107_201)).toBe('timestamp-too-new');
    expect(check(107_201, [])).toBe('timestamp-too-new');
  });

  test('rejects a timestamp below the median of 60', () => {
    expect(check(1295)).toBeUndefined();
    expect(check(1294)).toBe('timestamp-too-old');
    expect(check(1294, [...sixty].reverse())).toBe('timestamp-too-old');
  });

  test('takes the middle of the two middle ones when these differ, in any order', () => {
    const halves = [...Array<number>(30).fill(100), ...Array<number>(30).fill(201)];
    expect(check(150, halves)).toBeUndefined();
    expect(check(149, halves)).toBe('timestamp-too-old');
    expect(check(150, [...halves].reverse())).toBeUndefined();
    expect(check(149, [...halves].reverse())).toBe('timestamp-too-old');
    const more = [...Array<number>(31).fill(100), ...Array<number>(29).fill(201)];
    expect(check(100, more)).toBeUndefined();
    expect(check(99, more)).toBe('timestamp-too-old');
  });

  test('has no lower bound below 60 blocks', () => {
    expect(check(0, sixty.slice(1))).toBeUndefined();
  });

  test('uses all blocks of a longer alternative chain', () => {
    const longer = [...Array<number>(21).fill(0), ...sixty];
    expect(check(1195, longer)).toBeUndefined(); // median of 81 is the 41st: 1000 + 10 * 19
    expect(check(1190, longer)).toBeUndefined();
    expect(check(1189, longer)).toBe('timestamp-too-old');
  });
});

describe('the clock of time locks', () => {
  const chainRules = rulesFor(13);

  test('is the clock of the node before fork 13 and on short chains', () => {
    const recent = Array<number>(60).fill(1000);
    expect(adjustedTime(rulesFor(12), recent, 5000, 77)).toBe(77);
    expect(adjustedTime(chainRules, recent.slice(1), 59, 77)).toBe(77);
    expect(adjustedTime(chainRules, recent, 60, 77)).toBe(1120);
  });

  test('uses the largest timestamp, wherever in the window it is', () => {
    const recent = Array.from({ length: 60 }, (_, i) => 10_000 + i);
    recent[3] = 12_000;
    expect(adjustedTime(chainRules, recent, 1000, 0)).toBe(12_120);
  });

  test('is never beyond the projected median', () => {
    const recent = Array.from({ length: 60 }, () => 10_000);
    recent[59] = 20_000;
    expect(adjustedTime(chainRules, recent, 1000, 0)).toBe(13_660);
  });

  test.each(['wallets', 'forks'] as const)(
    'agrees with monerod on the recorded chain %s',
    (name) => {
      const { columns, adjustedTime: expected } =
        readFixture<RecordedChains>('chains.json.gz')[name];
      const timestamps = columns[4] as number[];
      const recent = timestamps.slice(-60);
      expect(adjustedTime(rulesFor(16), recent, timestamps.length, 0)).toBe(expected);
    },
  );
});
