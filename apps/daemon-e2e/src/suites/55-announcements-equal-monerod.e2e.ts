import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { writeFileSync } from 'node:fs';
import { chainFacts } from '../chain/fixture.ts';
import { describeWithMonero } from '../harness/describe-with-monero.ts';
import { isObject, numberOf, stringOf, type JsonObject } from '../harness/json.ts';
import { mine, startMonerod, waitForSameTip, type RunningNode } from '../harness/monerod.ts';
import { startInStep } from '../harness/our-daemon.ts';
import { send, spendable, spendOutput, waitForPool } from '../harness/pool.ts';
import { monerodDataWithChain } from '../harness/prepared-chains.ts';
import { waitUntil } from '../harness/wait.ts';
import { restoreWallet, type RunningWallet } from '../harness/wallet.ts';
import { announces, ZmqListener, zmqPlace, type ZmqMessage } from '../harness/zmq-listener.ts';

const BLOCKS = 230;
const WAIT = 180_000;

/**
 * Returns a message's place in the order: its topic, and the block or the height it is about. monerod announces the
 * blocks of a reorganization twice, the second time with an estimate of the coins; the first counts.
 */
function subjectOf({ topic, body }: ZmqMessage): string {
  if (!isObject(body)) {
    const [first] = Array.isArray(body) ? body : [];
    const about = isObject(first) ? (first['prev_id'] ?? first['id'] ?? JSON.stringify(first)) : '';
    return `${topic} ${String(about)}`;
  }
  return `${topic} ${String(body['first_height'] ?? body['height'])} ${String(body['first_prev_id'] ?? body['prev_id'])}`;
}

/** Returns the first message about each subject. */
function once(messages: readonly ZmqMessage[]): ZmqMessage[] {
  const seen = new Set<string>();
  return messages.filter((message) => {
    const subject = subjectOf(message);
    return !seen.has(subject) && seen.add(subject);
  });
}

describeWithMonero(
  'ZeroMQ subscribers learn the same from both daemons',
  () => {
    const [first, second] = chainFacts().wallets;
    if (first === undefined || second === undefined) throw new Error('two wallets are needed');
    /** Mines, and is the peer of the other two. */
    let source: RunningNode;
    let monerod: RunningNode;
    let ours: RunningNode;
    let wallet: RunningWallet;
    let keyImages: string[];
    let theirs: ZmqListener;
    let mine_: ZmqListener;

    beforeAll(async () => {
      source = await startMonerod({ name: 'source', dataDir: await monerodDataWithChain(BLOCKS) });
      const peers = [source.p2p];
      const [theirPlace, ourPlace] = [await zmqPlace(), await zmqPlace()];
      monerod = await startMonerod({
        dataDir: await monerodDataWithChain(BLOCKS),
        peers,
        extra: theirPlace.extra,
      });
      ours = await startInStep(source, { extra: ourPlace.extra });
      theirs = await ZmqListener.at(theirPlace);
      mine_ = await ZmqListener.at(ourPlace);
      wallet = await restoreWallet('announced', source.rpc.port, first.seed);
      await wallet.call('refresh', { start_height: 0 });
      keyImages = await spendable(wallet);
    }, WAIT + 120_000);

    afterAll(async () => {
      theirs?.close();
      mine_?.close();
      await wallet?.stop();
      for (const node of [ours, monerod, source]) await node?.stop();
    });

    async function compare(name: string): Promise<ZmqMessage[]> {
      const tip = await source.tip();
      for (const node of [monerod, ours]) await waitForSameTip(node, tip, WAIT);
      const a = await theirs.take(`monerod's ${name}`, announces(tip.id));
      const b = await mine_.take(`our ${name}`, announces(tip.id));
      if (process.env['DUMP']) {
        const lines = (list: ZmqMessage[]) =>
          list.map((m) => `${m.topic} ${JSON.stringify(m.body, (_, v) => typeof v === 'bigint' ? String(v) : v).slice(0, 400)}`).join('\n');
        writeFileSync(`${process.env['DUMP']}-${name.replaceAll(' ', '-')}.txt`, `THEIRS\n${lines(a)}\nOURS\n${lines(b)}\n`);
      }
      expect(b).toEqual(once(a));
      return b;
    }

    async function pooled(): Promise<string> {
      const made = await spendOutput(wallet, keyImages.shift() ?? '', first.address);
      for (const node of [source, monerod, ours]) {
        expect(await send(node, made)).toMatchObject({ status: 'OK' });
      }
      for (const node of [source, monerod, ours]) await waitForPool(node, [made.id]);
      await theirs.taken();
      await mine_.taken();
      return made.id;
    }

    const top = async (): Promise<JsonObject> =>
      (await source.rpc.call('get_last_block_header'))['block_header'] as JsonObject;

    test('of a block with a transaction that was in the pool', async () => {
      await pooled();
      await mine(source, 1, first.address);
      await compare('one block');
    }, WAIT);

    test('of two blocks that replace the top, whose transaction returns to the pool', async () => {
      await mine(source, 1, first.address);
      await compare('plain block');
      await pooled();
      await mine(source, 1, first.address);
      await compare('replaced block');
      const parent = stringOf(await top(), 'prev_hash');
      await mine(source, 2, second.address, parent);
      await compare('reorganization');
    }, WAIT);

    test('of thirty blocks that a node missed', async () => {
      for (const node of [monerod, ours]) await node.rpc.path('/out_peers', { out_peers: 0 });
      for (const node of [monerod, ours]) {
        await node.rpc.call('set_bans', { bans: [{ host: '127.0.0.1', ban: true, seconds: 600 }] });
      }
      await waitUntil('the source to be alone', async () => {
        const info = await source.info();
        return numberOf(info, 'incoming_connections_count') === 0;
      });
      await mine(source, 30, first.address);
      for (const node of [monerod, ours]) {
        await node.rpc.call('set_bans', { bans: [{ host: '127.0.0.1', ban: false, seconds: 0 }] });
        await node.rpc.path('/out_peers', { out_peers: 8 });
      }
      const messages = await compare('missed blocks');
      expect(messages.filter(({ topic }) => topic === 'json-full-miner_data')).toHaveLength(30);
    }, WAIT);

    test('of popped blocks nothing', async () => {
      await pooled();
      await mine(source, 1, first.address);
      await compare('block to pop');
      for (const node of [monerod, ours]) {
        await node.rpc.call('set_bans', { bans: [{ host: '127.0.0.1', ban: true, seconds: 600 }] });
      }
      for (const node of [monerod, ours]) await node.rpc.path('/pop_blocks', { nblocks: 2 });
      expect([await theirs.taken(), await mine_.taken()]).toEqual([[], []]);
      for (const node of [monerod, ours]) {
        await node.rpc.call('set_bans', { bans: [{ host: '127.0.0.1', ban: false, seconds: 0 }] });
      }
      await compare('popped blocks again');
    }, WAIT);
  },
  undefined,
  'current',
);
