import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { chainFacts } from '../chain/fixture.ts';
import { numberOf, stringOf } from '../harness/json.ts';
import { mine, startMonerod, waitForSameTip, type RunningNode } from '../harness/monerod.ts';
import { startOurDaemon } from '../harness/our-daemon.ts';
import { describeWithMonero } from '../harness/describe-with-monero.ts';
import { blockTemplate, waitUntilTemplates } from '../harness/block-template.ts';
import { waitUntil } from '../harness/wait.ts';

const IS_LONG = process.env['E2E_LONG'] === '1';
/** Milliseconds after which a test counts as hanging. */
const WAIT = 3_600_000;
/** The first blocks with the second and third seed. */
const CHANGES = [2113, 4161];
/** Number of blocks before and after a change that are mined twice. */
const MARGIN = 5;
const BATCH = 60;
/** A difficulty at which our miner creates a dataset. */
const HARD = 1500;
const [first] = chainFacts().wallets;
if (first === undefined) throw new Error('the recorded chain has no wallet');
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
  let monerod: RunningNode;
  let ours: RunningNode;

  beforeAll(async () => {
    monerod = await startMonerod();
    ours = await startOurDaemon({ peers: [monerod.p2p] });
    await waitUntilTemplates(ours, address);
    await waitUntilTemplates(monerod, address);
  }, WAIT);
  afterAll(async () => {
    await ours.stop();
    await monerod.stop();
  });

  /** Runs our built-in miner until the chain has this many blocks. */
  async function mineOurs(height: number): Promise<void> {
    const call = { miner_address: address, threads_count: 2 };
    expect(await ours.rpc.path('/start_mining', call)).toMatchObject({ status: 'OK' });
    await waitUntil(
      `our chain to have ${height} blocks`,
      async () => (await ours.tip()).height >= height,
      { timeout: WAIT },
    );
    expect(await ours.rpc.path('/stop_mining')).toMatchObject({ status: 'OK' });
    await waitForSameTip(monerod, await ours.tip(), WAIT);
  }

  async function mineTheirs(count: number, prev?: string): Promise<void> {
    await mine(monerod, count, address, prev);
    await waitForSameTip(ours, await monerod.tip(), WAIT);
  }

  /** Mines with both in turn until the chain has about this many blocks, but not more. */
  async function mineInTurns(height: number): Promise<void> {
    for (let turn = 0; ; turn++) {
      const now = (await ours.tip()).height;
      if (now >= height) return;
      const goal = Math.min(height, now + BATCH);
      if (turn % 2 === 0) await mineTheirs(goal - now);
      else {
        await mine(ours, goal - now, address);
        await waitForSameTip(monerod, await ours.tip(), WAIT);
      }
    }
  }

  /** Both make blocks with the same seed, and know the one after it. */
  async function sameSeeds(): Promise<{ hash: string; height: number }> {
    const mine = await blockTemplate(ours, address);
    const theirs = await blockTemplate(monerod, address);
    for (const field of ['height', 'seed_hash', 'seed_height', 'next_seed_hash']) {
      expect({ field, value: mine[field] }).toEqual({ field, value: theirs[field] });
    }
    return { hash: stringOf(mine, 'seed_hash'), height: numberOf(mine, 'seed_height') };
  }

  const expectNoRefusal = (): void => {
    expect(ours.process.output()).not.toMatch(/was not taken|is bad|no block to mine/);
  };

  test.each(CHANGES)(
    'block %i and its neighbors, mined by either daemon, are accepted by both',
    async (change) => {
      await mineInTurns(change - MARGIN);
      const before = await ours.tip();
      const seed = await sameSeeds();
      await mineOurs(change + MARGIN);
      expect((await sameSeeds()).height).toBe(seed.height + 2048);
      const { height } = await ours.tip();
      await mineTheirs(height - before.height + 1, before.id);
      expect((await ours.tip()).height).toBe(height + 1);
      expect((await sameSeeds()).height).toBe(seed.height + 2048);
      expectNoRefusal();
    },
    WAIT,
  );

  test(
    'new nodes synchronize the whole chain',
    async () => {
      const tip = await ours.tip();
      const late = await startMonerod({ name: 'late-monerod', peers: [ours.p2p] });
      await waitForSameTip(late, tip, WAIT);
      await late.stop();
      const ourLate = await startOurDaemon({ name: 'ours-late', peers: [monerod.p2p] });
      await waitForSameTip(ourLate, tip, WAIT);
      await ourLate.stop();
    },
    WAIT,
  );

  test(
    'mining with a dataset continues after the seed changes',
    async () => {
      const { height } = await ours.tip();
      const nblocks = height - (CHANGES.at(-1) ?? 0) + MARGIN;
      for (const node of [ours, monerod]) {
        expect(await node.rpc.path('/pop_blocks', { nblocks })).toMatchObject({ status: 'OK' });
        await node.stop();
      }
      monerod = await startMonerod({ dataDir: monerod.dataDir, fixedDifficulty: HARD });
      const options = { dataDir: ours.dataDir, fixedDifficulty: HARD, peers: [monerod.p2p] };
      ours = await startOurDaemon({ ...options, name: 'ours-hard' });
      for (const node of [ours, monerod]) await waitUntilTemplates(node, address);
      const before = await sameSeeds();
      await mineOurs(height);
      const after = await sameSeeds();
      expect(after.height).toBe(before.height + 2048);
      expect(after.hash).not.toBe(before.hash);
      expect(ours.process.output().match(/dataset for mining: 100%/g)).toHaveLength(2);
      expectNoRefusal();
    },
    WAIT,
  );
});
