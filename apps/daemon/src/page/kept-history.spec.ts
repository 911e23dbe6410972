import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HistoryFile } from './history-file.ts';
import { HistoryKeeper } from './history-keeper.ts';
import { KeptHistory } from './kept-history.ts';

const START = 1_700_000_000;

let dir: string;
let lines: string[];
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'kept-history-'));
  lines = [];
});
afterEach(() => rmSync(dir, { recursive: true }));

/** A node whose charts are kept in the folder of the test. */
function run() {
  const histories = { owner: new HistoryKeeper(), public: new HistoryKeeper(['pool']) };
  const file = new HistoryFile(dir, { warn: (line) => void lines.push(line) });
  return { ...histories, kept: new KeptHistory(file, histories) };
}

async function lastRun(): Promise<void> {
  const { owner, public: known, kept } = run();
  for (let i = 0; i < 20; i++) {
    owner.add(START + i * 10, { pool: 3, peers: 4 });
    known.add(START + i * 10, { pool: 1 });
  }
  await kept.save();
}

test('the charts go on after a restart, each view with its own', async () => {
  await lastRun();
  const { owner, public: known, kept } = run();
  await kept.load();
  expect(kept.takeUp(START + 300)).toBe(true);
  expect(kept.takeUp(START + 310)).toBe(false);
  expect(owner.history.hour.series.peers).toHaveLength(20);
  expect(known.history.hour.series).toEqual({ pool: Array(20).fill(1) });
  owner.add(START + 300, { pool: 9 });
  expect(owner.history.hour.series.pool?.slice(-2)).toEqual([null, 9]);
});

test('a restart within the step of the last point', async () => {
  await lastRun();
  const { kept } = run();
  await kept.load();
  expect(kept.takeUp(START + 186)).toBe(true);
});

test('a clock that begins in the past gets the charts once it is right', async () => {
  await lastRun();
  const { owner, kept } = run();
  await kept.load();
  expect(kept.takeUp(100)).toBe(false);
  owner.add(100, { pool: 7 });
  expect(kept.takeUp(START + 1000)).toBe(true);
  expect(owner.history.hour.series.pool).toEqual(Array(20).fill(3));
  await kept.save();
  expect(lines).toEqual([]);
});

test('charts of a time that does not come are put aside by the first save', async () => {
  await lastRun();
  const { owner, kept } = run();
  await kept.load();
  owner.add(100, { pool: 7 });
  await kept.save();
  await kept.save();
  expect(lines).toEqual([expect.stringContaining('ends later than this clock says')]);
  expect(existsSync(join(dir, 'page-history.json.broken'))).toBe(true);
  expect(kept.takeUp(START + 1000)).toBe(false);
});

test('saves do not overlap, and one that failed does not stop the next', async () => {
  const { kept } = run();
  await Promise.all([kept.save(), kept.save(), kept.save()]);
  rmSync(dir, { recursive: true });
  await expect(kept.save()).rejects.toThrow('ENOENT');
  await lastRun().catch(() => undefined);
  dir = mkdtempSync(join(tmpdir(), 'kept-history-'));
});
