import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { chainFacts } from '../chain/fixture.ts';
import { blockTemplate, templateTxs } from '../harness/block-template.ts';
import { Comparison } from '../harness/comparison.ts';
import { stringOf, type JsonObject } from '../harness/json.ts';
import { mine, startMonerod, waitForSameTip, type RunningNode } from '../harness/monerod.ts';
import { startInStep } from '../harness/our-daemon.ts';
import { expectSamePool, poolIds, poolOf, send, spendable, spendOutput } from '../harness/pool.ts';
import { monerodDataWithChain } from '../harness/prepared-chains.ts';
import { describeWithMonero } from '../harness/describe-with-monero.ts';
import { waitUntil } from '../harness/wait.ts';
import { restoreWallet, type RunningWallet } from '../harness/wallet.ts';

const BLOCKS = 230;
const WAIT = 180_000;
/** Numbers of blocks that are replaced. */
const DEPTHS = [1, 5, 50];

describeWithMonero("our pool and monerod's through reorganizations", () => {
  const [first, second] = chainFacts().wallets;
  if (first === undefined || second === undefined) throw new Error('two wallets are needed');
  /** The other side of the partition. It runs only while it mines and while both sides are connected. */
  let apartDir: string;
  let monerod: RunningNode;
  let ours: RunningNode;
  let wallet: RunningWallet;
  let keyImages: string[];

  beforeAll(async () => {
    apartDir = await monerodDataWithChain(BLOCKS);
    monerod = await startMonerod({ dataDir: await monerodDataWithChain(BLOCKS) });
    ours = await startInStep(monerod);
    wallet = await restoreWallet(`partition-${first.name}`, monerod.rpc.port, first.seed);
    await wallet.call('refresh', { start_height: 0 });
    keyImages = await spendable(wallet);
    expect(keyImages.length).toBeGreaterThan(3 * DEPTHS.length);
  }, WAIT + 120_000);

  afterAll(async () => {
    await wallet.stop();
    await ours.stop();
    await monerod.stop();
  });

  for (const [round, depth] of DEPTHS.entries()) {
    test(
      `are equal after ${depth} blocks were replaced`,
      async () => {
        const [twice = '', once = '', late = ''] = keyImages.slice(3 * round);
        await wallet.call('refresh');
        const spentThere = await spendOutput(wallet, twice, first.address);
        const spentHere = await spendOutput(wallet, twice, second.address);
        const returning = await spendOutput(wallet, once, first.address);
        const waiting = await spendOutput(wallet, late, first.address);

        const apart = await startMonerod({ name: 'apart', dataDir: apartDir, offline: true });
        expect(await send(apart, spentThere)).toMatchObject({ status: 'OK' });
        await mine(apart, depth + 1, second.address);
        const there = await apart.tip();
        await apart.stop();

        for (const node of [monerod, ours]) {
          for (const tx of [spentHere, returning]) await send(node, tx);
        }
        await mine(monerod, depth, first.address);
        const here = await monerod.tip();
        await waitForSameTip(ours, here, WAIT);
        for (const node of [monerod, ours]) {
          expect(await send(node, spentThere)).toMatchObject({ status: 'Failed' });
          await send(node, waiting);
        }
        await expectSamePool(ours, monerod);

        const meeting = await startMonerod({
          name: 'apart',
          dataDir: apartDir,
          peers: [monerod.p2p, ours.p2p],
        });
        await waitForSameTip(monerod, there, WAIT);
        await waitForSameTip(ours, there, WAIT);
        const settled = [spentHere.id, returning.id, waiting.id].sort();
        await waitUntil('what was mined here to be back in the pool', async () => {
          const ids = await poolIds(ours);
          return settled.every((id) => ids.includes(id));
        });
        await expectSamePool(ours, monerod);
        expect(await poolIds(ours)).not.toContain(spentThere.id);
        const compare = new Comparison(ours.rpc, monerod.rpc);
        await compare.path('/is_key_image_spent', { key_images: [twice, once, late] });
        await compare.call('get_block', { hash: there.id });
        await meeting.stop();
      },
      2 * WAIT,
    );
  }

  test(
    'mine equal blocks from the remaining transactions',
    async () => {
      await mine(monerod, 1, first.address);
      await waitForSameTip(ours, await monerod.tip(), WAIT);
      await expectSamePool(ours, monerod);
    },
    WAIT,
  );

  test(
    'stay equal when a block of a side chain brings a withheld transaction',
    async () => {
      await wallet.call('refresh');
      const withheld = await spendOutput(wallet, keyImages.at(-1) ?? '', first.address);
      for (const node of [monerod, ours]) {
        expect(await send(node, withheld, { do_not_relay: true })).toMatchObject({ status: 'OK' });
      }
      const last = await monerod.rpc.call('get_last_block_header');
      const top = last['block_header'] as JsonObject;
      const parent = stringOf(top, 'prev_hash');
      const template = await blockTemplate(monerod, first.address, { prev_block: parent });
      expect(templateTxs(template)).toEqual([withheld.id]);
      const block = stringOf(template, 'blocktemplate_blob');
      for (const node of [monerod, ours]) {
        expect(await node.rpc.call('submit_block', [block])).toMatchObject({ status: 'OK' });
        expect(await node.rpc.path('/get_info')).toMatchObject({
          top_block_hash: stringOf(top, 'hash'),
        });
      }
      // Our pool follows the chain a moment later.
      await sleep(1000);
      await expectSamePool(ours, monerod);
      expect((await poolOf(ours)).get(withheld.id)).toMatchObject({
        do_not_relay: true,
        kept_by_block: false,
      });
    },
    WAIT,
  );
});
