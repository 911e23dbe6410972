import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HistoryFile } from './history-file.ts';
import { HistoryKeeper } from './history-keeper.ts';

let dir: string;
let lines: string[];
let file: HistoryFile;
let path: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'page-history-'));
  path = join(dir, 'page-history.json');
  lines = [];
  file = new HistoryFile(dir, { warn: (line) => void lines.push(line) });
});
afterEach(() => rmSync(dir, { recursive: true }));

/** Returns the charts of a node that has run for some samples. */
function made(samples = 500) {
  const [owner, known] = [new HistoryKeeper(), new HistoryKeeper(['pool'])];
  for (let i = 0; i < samples; i++) {
    owner.add(7200 + i * 10, { bytesIn: i, bytesOut: 2, hashes: 0, pool: 3, peers: 4 });
    known.add(7200 + i * 10, { pool: 1 });
  }
  return { owner: owner.history, public: known.history };
}

test('what is saved is loaded again, and only its owner can read it', async () => {
  expect(await file.load()).toBeUndefined();
  const saved = made();
  await file.save(saved);
  await file.save(saved);
  expect(await file.load()).toEqual(saved);
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(readdirSync(dir)).toEqual(['page-history.json']);
  expect(lines).toEqual([]);
});

test('full charts are well below the limit', async () => {
  const value = 123_456_789.1;
  const full = (length: number, end: number) => ({
    end,
    series: Object.fromEntries(
      ['bytesIn', 'bytesOut', 'hashes', 'pool', 'peers'].map((name) => [
        ...[name, Array<number>(length).fill(value)],
      ]),
    ),
  });
  const history = { hour: full(360, 3600), day: full(1440, 86_400), month: full(720, 86_400) };
  await file.save({ owner: history, public: history });
  expect(statSync(path).size).toBeLessThan((1 << 20) / 2);
  expect(await file.load()).toBeDefined();
});

/** What a file says, as tests spoil it. */
interface Said {
  format: unknown;
  owner: Record<string, { series: object }>;
  public: Record<string, { series: object }>;
}
const good = (): Said => JSON.parse(JSON.stringify({ format: 1, ...made(10) })) as Said;
const changed = (change: (said: Said) => void): string => {
  const value = good();
  change(value);
  return JSON.stringify(value);
};
test.each<[string, string]>([
  ['nothing', ''],
  ['half a file', changed(() => undefined).slice(0, 100)],
  ['a list', '[]'],
  ['another format', changed((value) => Object.assign(value, { format: 2 }))],
  ['no view', changed((value) => Object.assign(value, { public: undefined }))],
  ['no range', changed(({ owner }) => delete owner['month'])],
  [
    'an end between two steps',
    changed(({ owner }) => Object.assign(owner['hour'] ?? {}, { end: 7 })),
  ],
  [
    'a text as a value',
    changed(({ owner }) => Object.assign(owner['hour']?.series ?? {}, { pool: ['x'] })),
  ],
  [
    'series of two lengths',
    changed(({ owner }) => Object.assign(owner['hour']?.series ?? {}, { pool: [1] })),
  ],
  [
    'a series that nobody knows',
    changed(({ owner }) => Object.assign(owner['day']?.series ?? {}, { x: [1] })),
  ],
  [
    'a negative value',
    changed(({ public: known }) => Object.assign(known['hour']?.series ?? {}, { pool: [-1] })),
  ],
  [
    'too many points',
    changed(({ public: known }) =>
      Object.assign(known['hour']?.series ?? {}, { pool: Array(361).fill(1) }),
    ),
  ],
  ['a long file', ' '.repeat((1 << 20) + 1)],
])('a broken file is put aside with one line: %s', async (_, text) => {
  writeFileSync(path, text);
  expect(await file.load()).toBeUndefined();
  expect(lines).toEqual([expect.stringMatching(/^The charts of the page begin anew: .*broken$/)]);
  expect(readFileSync(`${path}.broken`, 'utf8')).toBe(text);
  await file.save(made(5));
  expect(await file.load()).toBeDefined();
});

test('a folder in its place is put aside too', async () => {
  mkdirSync(path);
  expect(await file.load()).toBeUndefined();
  expect(lines).toHaveLength(1);
  await file.save(made(5));
  expect(await file.load()).toBeDefined();
});

test('a save that fails leaves the old file and nothing else', async () => {
  await file.save(made(5));
  mkdirSync(`${path}.new`);
  await expect(file.save(made(6))).rejects.toThrow();
  expect(await file.load()).toEqual(made(5));
});
