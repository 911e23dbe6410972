import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { chainFacts } from '../chain/fixture.ts';
import { Comparison } from '../harness/comparison.ts';
import { objectsOf, type Json, type JsonObject } from '../harness/json.ts';
import { mine, startMonerod, waitForSameTip, type RunningNode } from '../harness/monerod.ts';
import { startInStep, startOurDaemon, verifiedCounts } from '../harness/our-daemon.ts';
import {
  expectSamePool,
  pay,
  poolIds,
  poolOf,
  send,
  spendable,
  spendOutput,
  waitForPool,
  type MadeTransaction,
} from '../harness/pool.ts';
import { monerodDataWithChain } from '../harness/prepared-chains.ts';
import { describeWithMonero } from '../harness/describe-with-monero.ts';
import { waitUntil } from '../harness/wait.ts';
import { restoreWallet, type RunningWallet } from '../harness/wallet.ts';

const BLOCKS = 230;
const PICONERO = 1_000_000_000_000;
const WAIT = 120_000;

/** Returns the transactions of a pool as reported to clients, without their times. */
async function shown(node: RunningNode, ids: readonly string[]): Promise<JsonObject[]> {
  const answer = await node.rpc.path('/get_transactions', {
    txs_hashes: [...ids],
    decode_as_json: true,
  });
  return objectsOf(answer, 'txs').map((tx) => ({ ...tx, received_timestamp: 0 }));
}

describeWithMonero("our transaction pool and monerod's", () => {
  const [first, second] = chainFacts().wallets;
  if (first === undefined || second === undefined) throw new Error('two wallets are needed');
  let monerod: RunningNode;
  let ours: RunningNode;
  let compare: Comparison;
  /** The wallets on our daemon and on monerod. */
  let ourWallet: RunningWallet;
  let theirWallet: RunningWallet;

  const startOurs = async (dataDir?: string): Promise<RunningNode> =>
    startOurDaemon({
      peers: [monerod.p2p],
      dataDir,
    });

  /** Sends the same transaction to both nodes and compares their answers. */
  async function sendToBoth(
    tx: Pick<MadeTransaction, 'hex'>,
    options: { [name: string]: Json } = {},
  ): Promise<JsonObject> {
    const [mine, theirs] = [await send(ours, tx, options), await send(monerod, tx, options)];
    expect(mine).toMatchObject(theirs);
    return mine;
  }

  beforeAll(async () => {
    monerod = await startMonerod({ dataDir: await monerodDataWithChain(BLOCKS) });
    ours = await startInStep(monerod);
    compare = new Comparison(ours.rpc, monerod.rpc);
    ourWallet = await restoreWallet(`pool-${first.name}`, ours.rpc.port, first.seed);
    theirWallet = await restoreWallet(`pool-${second.name}`, monerod.rpc.port, second.seed);
    await ourWallet.call('refresh', { start_height: 0 });
    await theirWallet.call('refresh', { start_height: 0 });
  }, WAIT + 120_000);

  afterAll(async () => {
    await ourWallet.stop();
    await theirWallet.stop();
    await ours.stop();
    await monerod.stop();
  });

  test(
    'a payment through our daemon reaches monerod',
    async () => {
      const { id } = await pay(ourWallet, second.address, PICONERO);
      expect(await poolIds(ours)).toEqual([id]);
      await waitForPool(monerod, [id]);
      await expectSamePool(ours, monerod);
      expect((await poolOf(ours)).get(id)).toMatchObject({ relayed: true, do_not_relay: false });
    },
    WAIT,
  );

  test(
    'a payment through monerod reaches our daemon',
    async () => {
      const { id } = await pay(theirWallet, first.address, PICONERO);
      await waitForPool(ours, [id]);
      await expectSamePool(ours, monerod);
    },
    WAIT,
  );

  test('both daemons return the same answers about the pool', async () => {
    const ids = await poolIds(monerod);
    await compare.path('/get_transaction_pool_hashes');
    await compare.path('/get_transaction_pool_hashes.bin');
    const [mine, theirs] = await Promise.all([shown(ours, ids), shown(monerod, ids)]);
    expect(mine).toEqual(theirs);
    const answer = await monerod.rpc.path('/get_transaction_pool');
    const spent = (answer['spent_key_images'] as { id_hash: string }[]).map((each) => each.id_hash);
    await compare.path('/is_key_image_spent', { key_images: spent });
    expect((await ours.info())['tx_pool_size']).toEqual((await monerod.info())['tx_pool_size']);
    await compare.call('get_fee_estimate');
  });

  test(
    'both refuse a double spend with the same message and set the same flag',
    async () => {
      const [keyImage = ''] = await spendable(ourWallet);
      const taken = await spendOutput(ourWallet, keyImage, first.address);
      const refused = await spendOutput(ourWallet, keyImage, second.address);
      expect(await send(ours, taken)).toMatchObject({ status: 'OK', not_relayed: false });
      await waitForPool(monerod, [taken.id]);
      expect(await sendToBoth(refused)).toMatchObject({ status: 'Failed', double_spend: true });
      expect((await poolOf(ours)).get(taken.id)).toMatchObject({ double_spend_seen: true });
      await expectSamePool(ours, monerod);
    },
    WAIT,
  );

  test(
    'both refuse the same invalid transactions',
    async () => {
      const [, keyImage = ''] = await spendable(ourWallet);
      const { hex } = await spendOutput(ourWallet, keyImage, first.address);
      for (const broken of ['', 'zz', '00', hex.slice(2), hex.slice(0, -2), `${hex}00`]) {
        for (const checks of [true, false]) {
          await sendToBoth({ hex: broken }, { do_sanity_checks: checks });
        }
      }
      // For wrong proofs, later releases set the same flag as our daemon; 0.18.0.0 sets none.
      const last = (Number.parseInt(hex.at(-40) ?? '0', 16) ^ 1).toString(16);
      const odd = { hex: `${hex.slice(0, -40)}${last}${hex.slice(-39)}` };
      expect(await send(monerod, odd)).toMatchObject({ status: 'Failed' });
      expect(await send(ours, odd)).toMatchObject({ status: 'Failed', invalid_input: true });
      await expectSamePool(ours, monerod);
    },
    WAIT,
  );

  test(
    'a transaction with do_not_relay stays in one pool until it is relayed',
    async () => {
      const [, , keyImage = '', another = ''] = await spendable(ourWallet);
      const kept = await spendOutput(ourWallet, keyImage, first.address);
      expect(await send(ours, kept, { do_not_relay: true })).toMatchObject({
        status: 'OK',
        not_relayed: true,
        reason: 'Not relayed',
      });
      expect((await poolOf(ours)).get(kept.id)).toMatchObject({
        do_not_relay: true,
        relayed: false,
      });
      const after = await spendOutput(ourWallet, another, second.address);
      await send(ours, after);
      await waitForPool(monerod, [after.id]);
      expect(await poolIds(monerod)).not.toContain(kept.id);
      await compare.call('relay_tx', { txids: ['00'.repeat(32), 'zz'] });
      await ours.rpc.call('relay_tx', { txids: [kept.id] });
      await waitForPool(monerod, [kept.id]);
      await expectSamePool(ours, monerod);
    },
    WAIT,
  );

  test(
    'the pool survives a restart',
    async () => {
      const before = await poolOf(ours);
      expect(await ours.stop()).toBe(0);
      ours = await startOurDaemon({ dataDir: ours.dataDir, offline: true });
      expect(await poolOf(ours)).toEqual(before);
      await ours.stop();
      ours = await startOurs(ours.dataDir);
      compare = new Comparison(ours.rpc, monerod.rpc);
    },
    WAIT,
  );

  test(
    'a block of monerod empties both pools, and its transactions are not verified again',
    async () => {
      await waitUntil('our daemon to be in step', async () => (await ours.info())['synchronized']);
      const ids = await poolIds(monerod);
      await mine(monerod, 1, second.address);
      await waitForSameTip(ours, await monerod.tip(), WAIT);
      expect(await poolIds(monerod)).toEqual([]);
      expect(await poolIds(ours)).toEqual([]);
      await compare.path('/get_transactions', { txs_hashes: ids, decode_as_json: true });
      expect(await ours.stop()).toBe(0);
      expect(verifiedCounts(ours.process.output())).toMatchObject({
        blocks: 1,
        cached: ids.length,
        clsags: 0,
        rangeProofs: 0,
      });
      ours = await startOurs(ours.dataDir);
      compare = new Comparison(ours.rpc, monerod.rpc);
    },
    WAIT,
  );

  test(
    'a block of our daemon empties both pools too',
    async () => {
      await waitUntil('our daemon to be in step', async () => (await ours.info())['synchronized']);
      await theirWallet.call('refresh');
      const { id } = await pay(theirWallet, first.address, PICONERO);
      await waitForPool(ours, [id]);
      // A template holds public transactions only; one from a peer may still be in the stem phase.
      await send(ours, { hex: String((await poolOf(ours)).get(id)?.['tx_blob']) });
      await mine(ours, 1, first.address);
      await waitForSameTip(monerod, await ours.tip(), WAIT);
      expect(await poolIds(ours)).toEqual(await poolIds(monerod));
    },
    WAIT,
  );

  test(
    'flush_txpool empties the pool',
    async () => {
      const [keyImage = ''] = await spendable(theirWallet);
      const { id, hex } = await spendOutput(theirWallet, keyImage, second.address);
      await sendToBoth({ hex }, { do_not_relay: true });
      await expectSamePool(ours, monerod);
      await compare.call('flush_txpool', { txids: ['zz'] });
      await compare.call('flush_txpool', { txids: ['zz', '00'.repeat(32)] });
      await compare.call('flush_txpool', { txids: [id] });
      expect(await poolIds(ours)).toEqual([]);
      expect(await poolIds(monerod)).toEqual([]);
      await sendToBoth({ hex }, { do_not_relay: true });
      await compare.call('flush_txpool', {});
      await expectSamePool(ours, monerod);
    },
    WAIT,
  );
});
