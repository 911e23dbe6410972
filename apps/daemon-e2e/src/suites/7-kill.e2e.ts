import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { blockId, parseLooseBlock } from '../chain/block.ts';
import { chainFacts, recordedBlocks } from '../chain/fixture.ts';
import { newFolder } from '../harness/home.ts';
import { startMonerod, waitForSameTip, type RunningNode, type Tip } from '../harness/monerod.ts';
import { startOurDaemon, verifiedCounts } from '../harness/our-daemon.ts';
import { monerodDataWithChain, SYNC_TIMEOUT } from '../harness/prepared.ts';
import { describeWithMonero } from '../harness/suite.ts';
import { sleep } from '../harness/wait.ts';
import { Random } from '../recorder/random.ts';

const KILLS = 20;
/** Life of one process, in milliseconds, drawn anew each time. */
const SHORTEST = 200;
const LONGEST = 7_000;

describeWithMonero('our daemon is killed while it synchronizes', () => {
  let monerod: RunningNode;
  let ids: string[];
  const seed = Number(process.env['E2E_SEED'] ?? Date.now() % 1_000_000);
  const random = new Random(seed);

  beforeAll(async () => {
    monerod = await startMonerod({ dataDir: await monerodDataWithChain() });
    ids = recordedBlocks().map(({ block }) => blockId(parseLooseBlock(block)).toString('hex'));
  }, 200_000);

  afterAll(() => monerod.stop());

  /** Watches the tip until `until`; every tip reported must be one of the recorded chain. */
  async function watch(node: RunningNode, until: number, last: Tip): Promise<Tip> {
    let seen = last;
    do {
      const tip = await node.tip();
      expect(tip.id).toBe(ids[tip.height - 1]);
      expect(tip.height).toBeGreaterThanOrEqual(seen.height);
      seen = tip;
      await sleep(20);
    } while (Date.now() < until);
    return seen;
  }

  test(
    `${KILLS} times, and carries on each time (E2E_SEED=${seed})`,
    async () => {
      const dataDir = newFolder('killed');
      let last: Tip = { height: 1, id: ids[0] ?? '' };
      const heights: number[] = [];
      for (let kill = 0; kill < KILLS; kill++) {
        const daemon = await startOurDaemon({
          name: `killed-${kill}`,
          dataDir,
          peers: [monerod.p2p],
        });
        const life = random.uniform(SHORTEST, LONGEST);
        last = await watch(daemon, Date.now() + life, last);
        await daemon.process.kill();
        heights.push(last.height);
      }
      console.info(`killed at heights ${heights.join(', ')}`);
      expect(heights[0]).toBeLessThan(chainFacts().height);

      const daemon = await startOurDaemon({ name: 'survivor', dataDir, peers: [monerod.p2p] });
      last = await watch(daemon, 0, last);
      const { height, topId } = chainFacts();
      await waitForSameTip(daemon, { height, id: topId }, SYNC_TIMEOUT);
      // What was stored before the kills is not checked again: no repair, no fresh start.
      expect(await daemon.stop()).toBe(0);
      expect(verifiedCounts(daemon.process.output())['blocks']).toBeLessThanOrEqual(
        height - last.height,
      );
    },
    SYNC_TIMEOUT + 300_000,
  );
});
