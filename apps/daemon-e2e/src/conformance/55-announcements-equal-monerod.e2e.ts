import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { chainFacts } from '../chain/fixture.ts';
import { blockTemplate } from '../harness/block-template.ts';
import { describeWithMonero } from '../harness/describe-with-monero.ts';
import { formatJson, isObject, numberOf, stringOf, type JsonObject } from '../harness/json.ts';
import { mine, startMonerod, waitForSameTip, type RunningNode } from '../harness/monerod.ts';
import { startInStep } from '../harness/our-daemon.ts';
import { LOOPBACK } from '../harness/ports.ts';
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
    return `${topic} ${isObject(first) ? formatJson(first['prev_id'] ?? first['id'] ?? first) : ''}`;
  }
  return `${topic} ${formatJson([body['height'] ?? 0, body['prev_id'] ?? 0, body['ids'] ?? 0])}`;
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
    const [address, otherAddress] = [first.address, second.address];
    /** Mines, and is the peer of the other two. */
    let source: RunningNode;
    let monerod: RunningNode;
    let ours: RunningNode;
    let wallet: RunningWallet;
    let keyImages: string[];
    let theirs: ZmqListener;
    let ourListener: ZmqListener;

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
      ourListener = await ZmqListener.at(ourPlace);
      wallet = await restoreWallet('announced', source.rpc.port, first.seed);
      await wallet.call('refresh', { start_height: 0 });
      keyImages = await spendable(wallet);
    }, 600_000);

    afterAll(async () => {
      theirs.close();
      ourListener.close();
      await wallet.stop();
      for (const node of [ours, monerod, source]) await node.stop();
    });

    /** Compares what both nodes have said since the last time, once they have the top of the source. */
    async function compare(what: string): Promise<ZmqMessage[]> {
      const tip = await source.tip();
      for (const node of [monerod, ours]) await waitForSameTip(node, tip, WAIT);
      const expected = once(await theirs.take(`monerod's ${what}`, announces(tip.id)));
      const received = await ourListener.take(`our ${what}`, announces(tip.id));
      expect(received).toEqual(expected);
      return received;
    }

    /** Cuts the source off from the other nodes, or lets them meet again. */
    async function part(isApart: boolean): Promise<void> {
      const bans = [{ host: LOOPBACK, ban: isApart, seconds: isApart ? 600 : 0 }];
      for (const node of [monerod, ours]) {
        await node.rpc.call('set_bans', { bans });
        await node.rpc.path('/out_peers', { out_peers: isApart ? 0 : 8 });
      }
      if (!isApart) return;
      await waitUntil('the source to be alone', async () => {
        const info = await source.info();
        return numberOf(info, 'incoming_connections_count') === 0;
      });
    }

    /** Puts a transaction into all pools, without a look at what is said about it. */
    async function pooled(): Promise<string> {
      const made = await spendOutput(wallet, keyImages.shift() ?? '', address);
      for (const node of [source, monerod, ours]) {
        expect(await send(node, made)).toMatchObject({ status: 'OK' });
      }
      for (const node of [source, monerod, ours]) await waitForPool(node, [made.id]);
      await theirs.taken();
      await ourListener.taken();
      return made.id;
    }

    const top = async (): Promise<JsonObject> =>
      (await source.rpc.call('get_last_block_header'))['block_header'] as JsonObject;

    test(
      'of a block with a transaction that was in the pool',
      async () => {
        await pooled();
        await mine(source, 1, address);
        await compare('one block');
      },
      WAIT,
    );

    test(
      'of two blocks that replace the top, whose transaction returns to the pool',
      async () => {
        await mine(source, 1, address);
        await compare('plain block');
        await pooled();
        await mine(source, 1, address);
        await compare('replaced block');
        const parent = stringOf(await top(), 'prev_hash');
        await mine(source, 2, otherAddress, parent);
        await compare('reorganization');
      },
      WAIT,
    );

    test(
      'of a block that brings a transaction to a node, on top and beside',
      async () => {
        const withheld = async (): Promise<void> => {
          await wallet.call('refresh');
          const made = await spendOutput(wallet, keyImages.shift() ?? '', address);
          expect(await send(source, made, { do_not_relay: true })).toMatchObject({ status: 'OK' });
        };
        await withheld();
        await mine(source, 1, address);
        const messages = await compare('block with news');
        expect(messages.map(({ topic }) => topic)).toContain('json-minimal-txpool_add');
        await withheld();
        const parent = stringOf(await top(), 'prev_hash');
        const template = await blockTemplate(source, otherAddress, { prev_block: parent });
        const block = stringOf(template, 'blocktemplate_blob');
        expect(await source.rpc.call('submit_block', [block])).toMatchObject({ status: 'OK' });
        await mine(source, 1, address);
        await compare('block on top after one beside');
      },
      WAIT,
    );

    test(
      'of thirty blocks that a node missed',
      async () => {
        await part(true);
        await mine(source, 30, address);
        await part(false);
        const messages = await compare('missed blocks');
        expect(messages.filter(({ topic }) => topic === 'json-full-miner_data')).toHaveLength(30);
      },
      WAIT,
    );

    test(
      'of popped blocks nothing',
      async () => {
        await pooled();
        await mine(source, 1, address);
        await compare('block to pop');
        await part(true);
        for (const node of [monerod, ours]) await node.rpc.path('/pop_blocks', { nblocks: 2 });
        expect([await theirs.taken(), await ourListener.taken()]).toEqual([[], []]);
        await part(false);
        await compare('popped blocks again');
      },
      WAIT,
    );
  },
  undefined,
  'current',
);
