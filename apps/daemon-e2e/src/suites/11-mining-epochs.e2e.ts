import { afterAll, describe, expect, test } from '@jest/globals';
import { chainFacts } from '../chain/fixture.ts';
import { numberOf, stringOf, type JsonObject } from '../harness/json.ts';
import {
  mine,
  startMonerod,
  waitForSameTip,
  type NodeOptions,
  type RunningNode,
} from '../harness/monerod.ts';
import { startOurDaemon } from '../harness/our-daemon.ts';
import { describeWithMonero } from '../harness/suite.ts';
import { blockTemplate, waitUntilTemplates } from '../harness/template.ts';
import { waitUntil } from '../harness/wait.ts';

const IS_LONG = process.env['E2E_LONG'] === '1';
/** Only against hanging. */
const WAIT = 1_800_000;
/** The seed changes with blocks 2,113 and 4,161. */
const SECOND_CHANGE = 4161;
const DIFFICULTY = 2;
/** Enough that our miner makes itself a dataset. */
const HARD = 1500;
const [first] = chainFacts().wallets;
if (first === undefined) throw new Error('a wallet is needed');
const { address } = first;

const describeLong = (name: string, body: () => void): void => {
  if (IS_LONG) {
    describeWithMonero(name, body, ['monerod']);
  } else {
    process.stderr.write(`skipped: ${name}: takes long, set E2E_LONG=1 for it\n`);
    describe.skip(`${name} (skipped: E2E_LONG is not set)`, body);
  }
};

describeLong('mining across changes of the RandomX seed', () => {
  const running: RunningNode[] = [];
  const run = async (node: Promise<RunningNode>): Promise<RunningNode> => {
    running.push(await node);
    return node;
  };
  afterAll(async () => {
    for (const node of running.reverse()) await node.stop();
  });

  const both = async (options: NodeOptions): Promise<[monerod: RunningNode, ours: RunningNode]> => {
    const monerod = await run(startMonerod(options));
    return [monerod, await run(startOurDaemon({ ...options, peers: [monerod.p2p] }))];
  };

  async function mineUntil(node: RunningNode, height: number, threads: number): Promise<void> {
    await waitUntilTemplates(node, address);
    const call = { miner_address: address, threads_count: threads };
    expect(await node.rpc.path('/start_mining', call)).toMatchObject({ status: 'OK' });
    await waitUntil(
      `${node.name} to be at height ${height}`,
      async () => (await node.tip()).height >= height,
      { timeout: WAIT, interval: 1000 },
    );
    expect(await node.rpc.path('/stop_mining')).toMatchObject({ status: 'OK' });
  }

  /** Both make blocks with the same seed, and know the one after it. */
  async function sameSeeds(a: RunningNode, b: RunningNode): Promise<JsonObject> {
    const [one, other] = [await blockTemplate(a, address), await blockTemplate(b, address)];
    for (const field of ['height', 'seed_hash', 'seed_height', 'next_seed_hash']) {
      expect({ field, value: one[field] }).toEqual({ field, value: other[field] });
    }
    return one;
  }

  function expectNoRefusal(ours: RunningNode): void {
    expect(ours.process.output()).not.toMatch(/was not taken|is bad|no block to mine/);
  }

  test(
    'our chain is the chain of a monerod that follows, and of one that comes later',
    async () => {
      const [monerod, ours] = await both({ fixedDifficulty: DIFFICULTY });
      await mineUntil(ours, SECOND_CHANGE + 20, 2);
      const tip = await ours.tip();
      await waitForSameTip(monerod, tip, WAIT);
      expectNoRefusal(ours);
      const { seed_height } = await sameSeeds(ours, monerod);
      expect(seed_height).toBe(4096);
      const late = await run(
        startMonerod({ name: 'late', fixedDifficulty: DIFFICULTY, peers: [ours.p2p] }),
      );
      await waitForSameTip(late, tip, WAIT);
    },
    WAIT,
  );

  test(
    'the chain of monerod is ours, following it or later',
    async () => {
      const [monerod, ours] = await both({ fixedDifficulty: DIFFICULTY });
      await waitUntilTemplates(monerod, address);
      while ((await monerod.tip()).height < SECOND_CHANGE + 20) await mine(monerod, 60, address);
      const tip = await monerod.tip();
      await waitForSameTip(ours, tip, WAIT);
      await sameSeeds(ours, monerod);
      const late = await run(
        startOurDaemon({ name: 'late', fixedDifficulty: DIFFICULTY, peers: [monerod.p2p] }),
      );
      await waitForSameTip(late, tip, WAIT);
    },
    WAIT,
  );

  test(
    'with a dataset, which is made anew at the change',
    async () => {
      const [monerod, ours] = await both({ fixedDifficulty: 1 });
      await waitUntilTemplates(monerod, address);
      while ((await monerod.tip()).height < 2100) await mine(monerod, 60, address);
      await waitForSameTip(ours, await monerod.tip(), WAIT);
      const { height } = await ours.tip();
      expect(height).toBeLessThan(2113);
      for (const node of [ours, monerod]) await node.stop();
      const monerodAgain = await run(
        startMonerod({ dataDir: monerod.dataDir, fixedDifficulty: HARD }),
      );
      const again = await run(
        startOurDaemon({
          ...{ name: 'ours-again', dataDir: ours.dataDir, peers: [monerodAgain.p2p] },
          fixedDifficulty: HARD,
        }),
      );
      const before = await sameSeedsLater(again, monerodAgain);
      await mineUntil(again, 2113 + 6, 2);
      await waitForSameTip(monerodAgain, await again.tip(), WAIT);
      const after = await sameSeeds(again, monerodAgain);
      expect(stringOf(before, 'seed_hash')).not.toBe(stringOf(after, 'seed_hash'));
      expect(numberOf(after, 'seed_height')).toBe(2048);
      expect(again.process.output().match(/dataset for mining: 100%/g)).toHaveLength(2);
      expectNoRefusal(again);
    },
    WAIT,
  );

  async function sameSeedsLater(a: RunningNode, b: RunningNode): Promise<JsonObject> {
    for (const node of [a, b]) await waitUntilTemplates(node, address);
    return sameSeeds(a, b);
  }
});
