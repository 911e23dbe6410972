import { silentLogger } from '@monero-node/base';
import { CollectorRun } from './collector-run.ts';

test('a collector that throws at once is run again, and its reason is logged', async () => {
  const lines: string[] = [];
  let runs = 0;
  const collect = (): void => {
    runs += 1;
    if (runs < 3) throw new Error('no row');
  };
  const logger = { ...silentLogger, error: (line: string) => void lines.push(line) };
  const run = new CollectorRun({ name: 'chain', metrics: ['height'], collect }, logger);
  for (const [left, failed] of [
    [['height'], true],
    [['height'], true],
    [[], false],
  ] as const) {
    await run.begin();
    expect(run.end()).toEqual(left);
    expect(run.failed).toBe(failed);
  }
  expect(runs).toBe(3);
  expect(lines).toEqual(['metrics: chain cannot be read and is left out until it can: no row']);
});
