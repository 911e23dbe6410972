import { CopyProgress, copySentence } from './copy-progress.ts';

const MIB = 2 ** 20;

let now: number;
let progress: CopyProgress;
beforeEach(() => {
  now = 1000;
  progress = new CopyProgress(() => now);
  progress.begin(400 * MIB);
});

test('the rate is that of the last ten seconds, without parts that were there already', () => {
  for (let part = 1; part <= 40; part++) {
    progress.add(part * 4 * MIB, part % 2 === 0 ? 4 * MIB : 0);
    now += 500;
  }
  const { position, bytes, bytesPerSecond } = progress.status;
  expect([position, bytes]).toEqual([160 * MIB, 80 * MIB]);
  expect(bytesPerSecond / MIB).toBeCloseTo(4, 0);
  expect(copySentence(progress.status)).toMatch(/^160 of 400 MiB \(40\.0 %\), [34]\.\d MiB\/s$/);
});

test('after a pause there is no rate, and the pause does not lower the one that follows', () => {
  progress.add(4 * MIB, 4 * MIB);
  now += 60_000;
  expect(progress.status.bytesPerSecond).toBe(0);
  progress.add(8 * MIB, 4 * MIB);
  now += 1000;
  expect(progress.status.bytesPerSecond).toBe(4 * MIB);
});

test('a part that comes again does not move the position back, and an end keeps what was sent', () => {
  progress.add(8 * MIB, 4 * MIB);
  progress.add(4 * MIB, 4 * MIB);
  expect(progress.status).toMatchObject({ position: 8 * MIB, size: 400 * MIB, bytes: 8 * MIB });
  progress.end();
  expect(progress.status).toEqual({ position: 0, size: 0, bytes: 8 * MIB, bytesPerSecond: 0 });
});
