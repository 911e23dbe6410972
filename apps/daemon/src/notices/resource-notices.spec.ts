import { silentLogger } from '@monero-node/base';
import { DiskNotice, LogFileNotice } from './resource-notices.ts';

const MINUTE = 60_000;
const GIB = 2 ** 30;
let now: number;
let said: string[];
let free: number | Error;
let isSynchronizing: boolean;
let notice: DiskNotice;
beforeEach(() => {
  now = 0;
  said = [];
  free = 500 * GIB;
  isSynchronizing = false;
  notice = new DiskNotice({
    freeSpace: () => (free instanceof Error ? Promise.reject(free) : Promise.resolve(free)),
    dataDir: '/data',
    isSynchronizing: () => isSynchronizing,
    logger: { ...silentLogger, warn: (line) => void said.push(line) },
    now: () => now,
  });
});

test('is mentioned with its path when less than 1 GiB is free', async () => {
  free = GIB;
  await notice.check();
  expect(said).toEqual([]);
  free -= 1;
  await notice.check();
  await notice.check();
  expect(said).toEqual([expect.stringMatching(/^Only 1023 MiB are free on the disk of \/data\./)]);
  free = GIB + 2 ** 27;
  await notice.check();
  expect(said).toHaveLength(1);
  free = 2 * GIB;
  await notice.check();
  expect(said[1]).toBe('The disk of /data has enough space again.');
});

test('a system that cannot say how much is free is left in peace', async () => {
  free = new Error('no');
  await notice.check();
  expect(said).toEqual([]);
});

/** Lets the disk fill for some minutes, at a rate in GiB per hour. */
async function fill(minutes: number, rate: number): Promise<void> {
  for (let i = 0; i < minutes; i++) {
    await notice.check();
    now += MINUTE;
    free = Number(free) - (rate * GIB) / 60;
  }
}

test('a disk that synchronization will fill within a day is mentioned with the time left', async () => {
  isSynchronizing = true;
  free = 100 * GIB;
  await fill(10, 20);
  expect(said).toEqual([]);
  await fill(1, 20);
  expect(said).toEqual([
    expect.stringMatching(/^The disk of \/data has 96\.7 GiB left and will be full in 4 h 50 min/),
  ]);
  free = 1000 * GIB;
  await notice.check();
  expect(said[1]).toBe('The disk of /data has enough space again.');
});

test('a disk that will be full soon is so until it lasts for 30 hours', async () => {
  isSynchronizing = true;
  free = 480 * GIB;
  await fill(40, 20);
  expect(said[0]).toContain('will be full in 23 h');
  said = [];
  // At this rate it lasts for 27 hours.
  await fill(70, 16.5);
  expect(said.join()).not.toContain('enough space');
  await fill(70, 10);
  expect(said.at(-1)).toBe('The disk of /data has enough space again.');
});

test('a short pause of synchronizing does not end the warning of a disk that will be full soon', async () => {
  isSynchronizing = true;
  free = 100 * GIB;
  await fill(11, 20);
  said = [];
  isSynchronizing = false;
  await fill(5, 0);
  isSynchronizing = true;
  await fill(20, 20);
  expect(said.join()).not.toContain('enough space');
  isSynchronizing = false;
  await fill(11, 0);
  expect(said.at(-1)).toBe('The disk of /data has enough space again.');
});

test('a disk that lasts longer than a day is not mentioned', async () => {
  isSynchronizing = true;
  await fill(60, 20);
  expect(said).toEqual([]);
});

test('what fills the disk while nothing is downloaded is not our business', async () => {
  free = 100 * GIB;
  await fill(60, 20);
  expect(said).toEqual([]);
});

test('a log file that cannot be made again is reported until there is one', async () => {
  let wrong: string | undefined;
  const logFile = new LogFileNotice(
    () => Promise.resolve(wrong),
    { ...silentLogger, warn: (line: string) => void said.push(line) },
    () => 0,
  );
  await logFile.check();
  expect(said).toEqual([]);
  wrong = 'The log file a.log has been removed.';
  await logFile.check();
  await logFile.check();
  wrong = undefined;
  await logFile.check();
  await logFile.check();
  expect(said).toEqual(['The log file a.log has been removed.', 'The log file is there again.']);
});
