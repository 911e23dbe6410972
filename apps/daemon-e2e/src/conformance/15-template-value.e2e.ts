import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { fromHex, parseBlock, toHex } from '@monero-node/codec';
import { chainFacts } from '../chain/fixture.ts';
import { Comparison } from '../harness/comparison.ts';
import { listOf, numberOf, stringOf, type JsonObject } from '../harness/json.ts';
import { mine, startMonerod, waitForSameTip, type RunningNode } from '../harness/monerod.ts';
import { startOurDaemon } from '../harness/our-daemon.ts';
import { poolIds, poolOf } from '../harness/pool.ts';
import { LOOPBACK } from '../harness/ports.ts';
import { monerodDataWithChain } from '../harness/prepared-chains.ts';
import { describeWithMonero } from '../harness/describe-with-monero.ts';
import { blockTemplate, templateTxs, waitUntilTemplates } from '../harness/block-template.ts';
import { waitUntil } from '../harness/wait.ts';
import { restoreWallet, type RunningWallet } from '../harness/wallet.ts';

const IS_LONG = process.env['E2E_LONG'] === '1';
const POOLS = IS_LONG ? 50 : 3;
/** In a long run, one of this many pools exceeds the block weight at which the reward starts to shrink. */
const LARGE_EVERY = 10;
/** Bytes. */
const LARGE = 380_000;
/** Milliseconds after which a test counts as hanging. */
const WAIT = IS_LONG ? 1_200_000 : 240_000;
const PICONERO = 1_000_000_000_000;
/** Number of blocks after which change can be spent. */
const UNLOCK = 10;
/** Number of blocks that give a wallet enough outputs for a long run. */
const MORE_BLOCKS = 700;
const [first, second] = chainFacts().wallets;
if (first === undefined || second === undefined) throw new Error('two wallets are needed');
const { address } = first;

/** Returns a number below `bound`; the sequence depends on the seed only. */
function dice(seed: number): (bound: number) => number {
  let state = seed;
  return (bound) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * bound);
  };
}

describeWithMonero('templates of a pool', () => {
  let monerod: RunningNode;
  let ours: RunningNode;
  let wallet: RunningWallet;
  const random = dice(Number(process.env['E2E_SEED'] ?? '1'));

  beforeAll(async () => {
    monerod = await startMonerod({ dataDir: await monerodDataWithChain(230) });
    ours = await startOurDaemon({ peers: [monerod.p2p] });
    await waitForSameTip(ours, await monerod.tip(), WAIT);
    // monerod is busy until a peer of its own height has connected to it.
    await ours.stop();
    ours = await startOurDaemon({ peers: [monerod.p2p], dataDir: ours.dataDir });
    await waitUntilTemplates(ours, address);
    await waitUntilTemplates(monerod, address);
    if (IS_LONG) {
      for (let done = 0; done < MORE_BLOCKS; done += 100) await mine(monerod, 100, address);
      await waitForSameTip(ours, await monerod.tip(), WAIT);
    }
    wallet = await restoreWallet('mining', ours.rpc.port, first.seed);
    await wallet.call('refresh', { start_height: 0 });
  }, WAIT);

  afterAll(async () => {
    await wallet.stop();
    await ours.stop();
    await monerod.stop();
  });

  /** Pays once, with a random priority and number of outputs; in a large pool with many inputs. */
  async function payAtRandom(large: boolean): Promise<number> {
    const outputs = 1 + random(large ? 3 : 12);
    const share = large ? (PICONERO * (4 + random(40))) / outputs : PICONERO / 100;
    const sent = await wallet.call('transfer', {
      destinations: Array.from({ length: outputs }, () => ({
        address: second?.address ?? '',
        amount: Math.floor(share),
      })),
      priority: 1 + random(4),
    });
    return numberOf(sent, 'weight');
  }

  async function samePools(): Promise<number> {
    await waitUntil(
      'the pools to be equal',
      async () => (await poolIds(monerod)).join() === (await poolIds(ours)).join(),
      { timeout: WAIT },
    );
    return (await poolIds(ours)).length;
  }

  /** Fills both pools; returns the number of transactions. */
  async function fillPools(large = false): Promise<number> {
    if (large) {
      for (let weight = 0; weight < LARGE;) weight += await payAtRandom(true);
    } else {
      for (let left = 3 + random(4); left > 0; left--) await payAtRandom(false);
    }
    return samePools();
  }

  async function feesOf(template: JsonObject): Promise<number> {
    const pool = await poolOf(ours);
    const fees = templateTxs(template).map((id) => numberOf(pool.get(id) ?? {}, 'fee'));
    return fees.reduce((sum, fee) => sum + fee, 0);
  }

  const blobOf = (template: JsonObject): string => stringOf(template, 'blocktemplate_blob');
  const idOf = (template: JsonObject): string => toHex(parseBlock(fromHex(blobOf(template))).id);

  /** Submits a block to the node that did not make it. The other receives it from there and verifies it too. */
  async function takeBoth(template: JsonObject, giver: RunningNode): Promise<void> {
    const [taker, other] = giver === ours ? [monerod, ours] : [ours, monerod];
    const answer = await taker.rpc.call('submit_block', [blobOf(template)]);
    expect(answer).toMatchObject({ status: 'OK' });
    const tip = { height: numberOf(template, 'height') + 1, id: idOf(template) };
    expect(await taker.tip()).toEqual(tip);
    await waitForSameTip(other, tip, WAIT);
  }

  /** Pops the top block, so that its transactions return to the pools. */
  async function popBoth(): Promise<void> {
    const pop = (node: RunningNode) => node.rpc.path('/pop_blocks', { nblocks: 1 });
    for (const answer of await Promise.all([pop(ours), pop(monerod)])) {
      expect(answer).toMatchObject({ status: 'OK' });
    }
  }

  /** Mines blocks with monerod, which our daemon adopts. */
  async function mineAfter(count: number): Promise<void> {
    await mine(monerod, count, address);
    await waitForSameTip(ours, await monerod.tip(), WAIT);
  }

  for (let round = 0; round < POOLS; round++) {
    const large = IS_LONG && round % LARGE_EVERY === LARGE_EVERY - 1;
    test(
      `pool ${round + 1}${large ? ', a large one' : ''}: our template is worth as much as monerod's, and both daemons accept both blocks`,
      async () => {
        const count = await fillPools(large);
        const [mine, theirs] = [
          await blockTemplate(ours, address),
          await blockTemplate(monerod, address),
        ];
        expect(numberOf(mine, 'expected_reward')).toBeGreaterThanOrEqual(
          numberOf(theirs, 'expected_reward'),
        );
        expect(await feesOf(mine)).toBeGreaterThanOrEqual(await feesOf(theirs));
        if (!large) {
          expect(templateTxs(mine).sort()).toEqual(templateTxs(theirs).sort());
          expect(templateTxs(mine)).toHaveLength(count);
        }
        for (const field of [
          ...['height', 'difficulty', 'difficulty_top64', 'wide_difficulty', 'prev_hash'],
          ...['seed_hash', 'seed_height', 'next_seed_hash', 'reserved_offset', 'status'],
        ]) {
          expect({ field, value: mine[field] }).toEqual({ field, value: theirs[field] });
        }
        await takeBoth(theirs, monerod);
        await popBoth();
        await takeBoth(mine, ours);
        // Transactions that did not fit are in the next blocks.
        if (IS_LONG) await mineAfter(UNLOCK);
        expect(await poolIds(ours)).toEqual([]);
        expect(await poolIds(monerod)).toEqual([]);
        await wallet.call('refresh');
      },
      WAIT,
    );
  }

  test("the miner's wallet receives the rewards", async () => {
    await wallet.call('refresh');
    const transfers = await wallet.call('get_transfers', { in: true, pool: true });
    const height = (await ours.tip()).height - 1;
    const found = listOf(transfers, 'in').some((each) => (each as JsonObject)['height'] === height);
    expect(found).toBe(true);
  });

  test(
    'get_miner_data of a pool',
    async () => {
      // Transactions in the stem phase are hidden. This monerod has no outgoing peers and therefore no stem phase.
      const address = `${LOOPBACK}:${monerod.rpc.port}`;
      await wallet.call('set_daemon', { address, trusted: true });
      await wallet.call('refresh');
      const count = await fillPools();
      expect(count).toBeGreaterThan(2);
      for (const node of [monerod, ours]) {
        await waitUntil(
          `the transactions to be public at ${node.name}`,
          async () => {
            const { tx_backlog } = await node.rpc.call('get_miner_data');
            return Array.isArray(tx_backlog) && tx_backlog.length === count;
          },
          { timeout: WAIT },
        );
      }
      await new Comparison(ours.rpc, monerod.rpc).call('get_miner_data');
    },
    WAIT,
  );
});
