import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { blockId, parseLooseBlock } from '../chain/block.ts';
import { chainFacts, recordedBlocks } from '../chain/fixture.ts';
import { newFolder } from '../harness/run-folder.ts';
import { startMonerod, waitForSameTip, type RunningNode, type Tip } from '../harness/monerod.ts';
import { startOurDaemon, verifiedCounts } from '../harness/our-daemon.ts';
import { monerodDataWithChain, SYNC_TIMEOUT } from '../harness/prepared-chains.ts';
import { describeWithMonero } from '../harness/describe-with-monero.ts';
import { sleep } from '../harness/wait.ts';
import { Random } from '../recorder/random.ts';

const KILLS = process.env['E2E_LONG'] === '1' ? 20 : 10;
/**
 * Each process is killed after it has added a random number of blocks, so that the kills are spread out.
 * Blocks arrive in batches, so it may have added more.
 */
const MOST_BLOCKS = Math.floor(chainFacts().height / KILLS);
/** Longest additional random delay before a kill in milliseconds, so that kills hit any operation. */
const MOMENT = 400;
const LONGEST_LIFE = 15_000;

describeWithMonero('our daemon survives kills during synchronization', () => {
  let monerod: RunningNode;
  let ids: string[];
  const seed = Number(process.env['E2E_SEED'] ?? Date.now() % 1_000_000);
  const random = new Random(seed);

  beforeAll(async () => {
    monerod = await startMonerod({ dataDir: await monerodDataWithChain() });
    ids = recordedBlocks().map(({ block }) => blockId(parseLooseBlock(block)).toString('hex'));
  }, 200_000);

  afterAll(() => monerod.stop());

  /**
   * Watches the tip until it reaches `height` or the time is over. Every tip must be a block of the
   * recorded chain and must not be below the previous one.
   */
  async function watch(node: RunningNode, height: number, last: Tip): Promise<Tip> {
    const end = Date.now() + LONGEST_LIFE;
    let seen = last;
    do {
      const tip = await node.tip();
      expect(tip.id).toBe(ids[tip.height - 1]);
      expect(tip.height).toBeGreaterThanOrEqual(seen.height);
      seen = tip;
      await sleep(10);
    } while (seen.height < height && Date.now() < end);
    return seen;
  }

  test('starts again after a kill before its first block', async () => {
    const dataDir = newFolder('killed-early');
    for (let i = 0; i < 2; i++) {
      const daemon = await startOurDaemon({ name: 'young', dataDir, offline: true });
      expect(await daemon.tip()).toEqual({ height: 1, id: ids[0] });
      await daemon.process.kill();
    }
  });

  const name = `${KILLS} times, and carries on each time (E2E_SEED=${seed})`;
  test(
    name,
    async () => {
      const { height, topId } = chainFacts();
      const dataDir = newFolder('killed');
      const start = (life: number): Promise<RunningNode> =>
        startOurDaemon({ name: `life-${life}`, dataDir, peers: [monerod.p2p] });
      let last: Tip = { height: 1, id: ids[0] ?? '' };
      const heights: number[] = [];
      for (let kill = 0; kill < KILLS; kill++) {
        const daemon = await start(kill);
        const target = Math.min(height, last.height + random.integer(0, MOST_BLOCKS));
        last = await watch(daemon, target, last);
        await sleep(random.uniform(0, MOMENT));
        await daemon.process.kill();
        heights.push(last.height);
      }
      console.info(`killed at heights ${heights.join(', ')}`);
      expect(heights.filter((each) => each < height).length).toBeGreaterThan(KILLS / 2);

      const survivor = await start(KILLS);
      last = await watch(survivor, 1, last);
      await waitForSameTip(survivor, { height, id: topId }, SYNC_TIMEOUT);
      expect(await survivor.stop()).toBe(0);
      // Stored blocks are not verified again: the daemon neither repaired nor restarted the chain.
      expect(verifiedCounts(survivor.process.output())['blocks']).toBeLessThanOrEqual(
        height - last.height,
      );
    },
    SYNC_TIMEOUT + 300_000,
  );
});
