import { availableParallelism } from 'node:os';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { chainFacts } from '../chain/fixture.ts';
import { numberOf, type JsonObject } from '../harness/json.ts';
import type { RunningNode } from '../harness/monerod.ts';
import { startOurDaemon } from '../harness/our-daemon.ts';
import { sleep, waitUntil } from '../harness/wait.ts';

/** Milliseconds after which a test counts as hanging. */
const WAIT = 240_000;
/** The highest difficulty at which blocks are mined without a dataset. Blocks are rare and hashing starts at once. */
const DIFFICULTY = 999;
const CALLS = 200;
/** Milliseconds between two calls. */
const INTERVAL = 100;
const [first] = chainFacts().wallets;
if (first === undefined) throw new Error('the recorded chain has no wallet');
const { address } = first;

/** Prints the response times for information. They depend on the machine and cannot fail the test. */
function summary(milliseconds: readonly number[]): string {
  const sorted = [...milliseconds].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.ceil(share * sorted.length) - 1] ?? NaN;
  const parts = { median: at(0.5), '99 %': at(0.99), 'at most': at(1) };
  return Object.entries(parts)
    .map(([name, value]) => `${name} ${value.toFixed(1)} ms`)
    .join(', ');
}

describe('get_info while all processors mine', () => {
  const threads_count = availableParallelism();
  let ours: RunningNode;

  beforeAll(async () => {
    ours = await startOurDaemon({
      fixedDifficulty: DIFFICULTY,
      offline: true,
      // These settings let background mining run on a busy machine too.
      extra: ['--bg-mining-idle-threshold', '0', '--bg-mining-miner-target', '100'],
    });
  }, WAIT);

  afterAll(() => ours.stop());

  const status = (): Promise<JsonObject> => ours.rpc.path('/mining_status');
  const untilHashing = (): Promise<unknown> =>
    waitUntil('hashes', async () => numberOf(await status(), 'speed') > 0, { timeout: WAIT });

  const ask = async (): Promise<number[]> => {
    const took: number[] = [];
    for (let call = 0; call < CALLS; call++) {
      const before = performance.now();
      expect(await ours.info()).toMatchObject({ status: 'OK' });
      took.push(performance.now() - before);
      await sleep(INTERVAL);
    }
    return took;
  };

  test(
    'before mining',
    async () => {
      process.stderr.write(`get_info, no mining: ${summary(await ask())}\n`);
    },
    WAIT,
  );

  test.each([
    ['in the background', true],
    ['in the foreground', false],
  ])(
    '%s',
    async (where, do_background_mining) => {
      const call = {
        miner_address: address,
        threads_count,
        do_background_mining,
        ignore_battery: true,
      };
      expect(await ours.rpc.path('/start_mining', call)).toMatchObject({ status: 'OK' });
      await untilHashing();
      const took = await ask();
      expect(await status()).toMatchObject({ active: true, threads_count });
      await untilHashing();
      const speed = numberOf(await status(), 'speed');
      process.stderr.write(
        `get_info, ${threads_count} threads mining ${where} at ${speed} H/s: ${summary(took)}\n`,
      );
      expect(await ours.rpc.path('/stop_mining')).toMatchObject({ status: 'OK' });
    },
    WAIT,
  );
});
