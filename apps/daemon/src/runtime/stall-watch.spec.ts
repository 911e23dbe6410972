import { silentLogger } from '@monero-node/base';
import { StallWatch } from './stall-watch.ts';

/** Returns the lines that a watch logs about a stretch in which the event loop did nothing for 50 ms. */
async function linesOf(isLogged: boolean): Promise<string[]> {
  const lines: string[] = [];
  const watch = new StallWatch({ ...silentLogger, debug: (line) => lines.push(line) }, isLogged);
  watch.start();
  const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 20));
  await turn();
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 50);
  await turn();
  watch.stop();
  return lines;
}

test('the longest stall is logged', async () => {
  const [line = ''] = await linesOf(true);
  const [, milliseconds] = /^event loop: longest stall (\d+) ms$/.exec(line) ?? [];
  expect(Number(milliseconds)).toBeGreaterThanOrEqual(45);
});

test('nothing is measured for a log that would not show it', async () => {
  expect(await linesOf(false)).toEqual([]);
});
