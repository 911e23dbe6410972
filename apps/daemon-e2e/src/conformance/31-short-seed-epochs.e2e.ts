import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { chainFacts } from '../chain/fixture.ts';
import { blockTemplate, waitUntilTemplates } from '../harness/block-template.ts';
import { describeWithMonero } from '../harness/describe-with-monero.ts';
import { numberOf } from '../harness/json.ts';
import { mine, startMonerod, waitForSameTip, type RunningNode } from '../harness/monerod.ts';
import { startOurDaemon } from '../harness/our-daemon.ts';

/** Environment of nodes whose RandomX seed changes every 16 blocks. */
const env = { SEEDHASH_EPOCH_BLOCKS: '16', SEEDHASH_EPOCH_LAG: '4' };
/** High enough that a hash with a wrong seed hardly ever does. */
const DIFFICULTY = 20;
/** Heights of templates, with the heights of their seed and of the seed after it. */
const SEEDS: readonly (readonly [height: number, seed: number, next: number])[] = [
  [16, 0, 0],
  [17, 0, 16],
  [20, 0, 16],
  [21, 16, 16],
  [33, 16, 32],
  [37, 32, 32],
  [44, 32, 32],
];
const WAIT = 120_000;

describeWithMonero(
  'SEEDHASH_EPOCH_BLOCKS and SEEDHASH_EPOCH_LAG change the RandomX seed as often as in monerod',
  () => {
    const address = chainFacts().wallets[0]?.address ?? '';
    let monerod: RunningNode;
    let ours: RunningNode;

    beforeAll(async () => {
      monerod = await startMonerod({ fixedDifficulty: DIFFICULTY, env });
      ours = await startOurDaemon({ fixedDifficulty: DIFFICULTY, env, peers: [monerod.p2p] });
      for (const node of [ours, monerod]) await waitUntilTemplates(node, address);
    }, WAIT);

    afterAll(async () => {
      await ours.stop();
      await monerod.stop();
    });

    test(
      'both name the same seeds, and each takes the blocks of the other',
      async () => {
        for (const [turn, [height, seed, next]] of SEEDS.entries()) {
          const [miner, other] = turn % 2 === 0 ? [monerod, ours] : [ours, monerod];
          const { height: now } = await miner.tip();
          await mine(miner, height - now, address);
          await waitForSameTip(other, await miner.tip(), WAIT);
          const [own = {}, theirs = {}] = await Promise.all(
            [ours, monerod].map((node) => blockTemplate(node, address)),
          );
          for (const field of ['height', 'seed_height', 'seed_hash', 'next_seed_hash']) {
            expect({ field, value: own[field] }).toEqual({ field, value: theirs[field] });
          }
          expect(numberOf(own, 'seed_height')).toBe(seed);
          expect(own['next_seed_hash'] !== '').toBe(next !== seed);
        }
      },
      3 * WAIT,
    );
  },
  ['monerod'],
);
