import { silentLogger } from '@monero-node/base';
import { ImportProgress } from './import-progress.ts';

test('logs every two seconds how far an import is, how fast, and how long it will take', () => {
  const lines: string[] = [];
  const logger = { ...silentLogger, info: (line: string) => lines.push(line) };
  let now = 0;
  const progress = new ImportProgress(logger, { height: 1, share: 0 }, () => now);
  for (const [at, height, share] of [
    [1000, 50, 0.05],
    [2000, 101, 0.1],
    [3000, 120, 0.2],
    [4000, 401, 0.999],
    [200_000, 501, 1],
  ] as const) {
    now = at;
    progress.update({ height, share });
  }
  expect(lines).toEqual([
    'imported up to block 100 (10.0 %, 50.0 blocks/s, 18 s left)',
    'imported up to block 400 (99.9 %, 100.0 blocks/s, 0 s left)',
    'imported up to block 500 (100.0 %, 0.5 blocks/s, 0 s left)',
  ]);
});
