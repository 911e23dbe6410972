import { isWhole, until } from '@monero-node/base/testing';
import {
  expectRecordedTree,
  expectSideTree,
  recordedBlocks,
  recordedForkChain,
  recordedSide,
} from '@monero-node/blockchain/testing';
import { toHex } from '@monero-node/codec';
import type { NextForkChain } from '@monero-node/codec/testing';
import { UpstreamPeer } from '@monero-node/p2p/testing';
import type { DevNode } from './dev-node.ts';
import type { DevNodeOptions } from './options.ts';
import { startNode } from './start-node.ts';

/** Levin's numbers. */
const [NEW_TRANSACTIONS, REQUEST_CHAIN, RESPONSE_CHAIN] = [2002, 2006, 2007] as const;
const [NEW_FLUFFY_BLOCK, REQUEST_FLUFFY_MISSING, TX_POOL_HASH] = [2008, 2009, 2011] as const;
/** Bounds each wait for another node; a busy machine needs more than the default. */
const SYNC_MS = 240_000;
const open: { stop: () => unknown }[] = [];
afterEach(async () => {
  for (const each of open.splice(0).reverse()) await each.stop();
});

async function start(chain: NextForkChain, options: DevNodeOptions = {}): Promise<DevNode> {
  const forks = chain.forks.map(({ version, height }) => `${version}:${height}`).join();
  const node = await startNode({ forks, ...options });
  open.push(node);
  return node;
}

const storeOf = ({ node }: DevNode) => node.blockchain.store;
const idsOf = (node: DevNode) =>
  storeOf(node)
    .blockMetas(0, node.height)
    .map(({ id }) => toHex(id));
const recordedIds = ({ blocks }: NextForkChain, below = blocks.length) =>
  blocks.slice(0, below).map(({ hash }) => hash);

/** Adds blocks one by one, as a miner would, and announces those that become the top. */
async function submit({ node }: DevNode, blocks: ReturnType<typeof recordedBlocks>): Promise<void> {
  for (const block of blocks) {
    const result = await node.blockchain.addBlock(block);
    expect(['added', 'alternative', 'reorganized']).toContain(result.status);
    if (result.status === 'added' || result.status === 'reorganized')
      node.p2p.relayBlock(result.height);
  }
}

const NAMES = ['odd-coinbases', 'long', 'short'] as const;

// Blocks of 27,000 outputs.
test.each(isWhole() ? ([...NAMES, 'wide-tree'] as const) : NAMES)(
  'the chain %s is taken over from a peer, with every leaf and edge',
  async (name) => {
    const chain = recordedForkChain(name);
    const source = await start(chain);
    const { results } = await source.node.blockchain.addSpan(
      recordedBlocks(chain, 1, chain.blocks.length),
    );
    expect(results.filter(({ status }) => status !== 'added')).toEqual([]);
    const other = await start(chain, { peers: [source] });
    await other.waitForSameTop(source, SYNC_MS);
    expect(idsOf(other)).toEqual(recordedIds(chain));
    expect(storeOf(other).tree.indexes()).toBe(chain.blocks.length + 9);
    expectRecordedTree(storeOf(other), name);
  },
  4 * SYNC_MS,
);

test(
  'a peer moves to the side branch of 25 blocks, and the node with it; then both move back',
  async () => {
    const chain = recordedForkChain('long');
    const { fromHeight, blocks: side } = recordedSide();
    const node = await start(chain);
    await submit(node, recordedBlocks(chain, 1, 205));
    const other = await start(chain, { peers: [node] });
    const isSame = () => other.waitForSameTop(node, SYNC_MS);
    await isSame();
    expectRecordedTree(storeOf(other), 'long');

    await submit(node, side);
    await isSame();
    expect(other.height).toBe(fromHeight + 25);
    expect(idsOf(other).slice(0, fromHeight)).toEqual(recordedIds(chain, fromHeight));
    for (const { store } of [node, other].map(({ node: { blockchain } }) => blockchain))
      expectSideTree(store);

    await submit(node, recordedBlocks(chain, 205, chain.blocks.length));
    await isSame();
    expect(idsOf(other)).toEqual(recordedIds(chain));
    expectRecordedTree(storeOf(other), 'long');
  },
  4 * SYNC_MS,
);

test(
  'a branch from below version 17 wins and loses again; the transactions of all versions that the blocks need are kept',
  async () => {
    const chain = recordedForkChain('long');
    const node = await start(chain);
    await submit(node, recordedBlocks(chain, 1, 195));
    const other = await start(chain, { peers: [node] });
    const isSame = () => other.waitForSameTop(node, SYNC_MS);
    await isSame();

    // Version 17 begins at 130 and 18 at 180. The new blocks pay nobody, so that the pool is their only way back.
    await node.reorganize(75, { blocks: 80 });
    await isSame();
    expect(other.height).toBe(200);
    expect(idsOf(other).slice(0, 121)).not.toEqual(recordedIds(chain, 121));
    expect(idsOf(other).slice(0, 120)).toEqual(recordedIds(chain, 120));

    await submit(node, recordedBlocks(chain, 195, chain.blocks.length));
    await isSame();
    for (const each of [node, other]) {
      expect(idsOf(each)).toEqual(recordedIds(chain));
      expectRecordedTree(storeOf(each), 'long');
    }
  },
  4 * SYNC_MS,
);

test(
  "a node takes over the chain from the recorded messages of upstream's node, and asks as upstream's does",
  async () => {
    const chain = recordedForkChain('short');
    const upstream = await UpstreamPeer.listen();
    open.push({ stop: () => upstream.close() });
    const starting = start(chain, { peers: [upstream.address] });
    await upstream.introduce();
    const node = await starting;
    const sent = (command: number, from = 'A') =>
      upstream.frames.filter((frame) => frame.command === command && frame.from === from);
    const [ids] = sent(RESPONSE_CHAIN);
    const [request] = sent(REQUEST_CHAIN, 'B');
    const blocks = sent(NEW_FLUFFY_BLOCK);
    if (!ids || !request) throw new Error('messages are missing');
    expect(toHex(await upstream.next(REQUEST_CHAIN))).toBe(toHex(request.body));
    upstream.send(ids);
    for (let served = 0; served < 102;) served += await upstream.serveBlocks();
    // It takes transactions once the download has ended.
    const isLevel = () => node.node.p2p.connections().every(({ state }) => state === 'normal');
    await until(() => node.height === 103 && isLevel());

    // Ids of transactions come even to nodes that have not said that they understand them: they are passed over.
    for (const frame of sent(TX_POOL_HASH)) upstream.send(frame);
    const pooled = [...sent(NEW_TRANSACTIONS), ...sent(NEW_TRANSACTIONS, 'B')];
    for (const frame of pooled) upstream.send(frame);
    await until(() => node.node.pool.size === 2);
    for (const frame of blocks.slice(0, 3)) upstream.send(frame);
    const [missing] = sent(REQUEST_FLUFFY_MISSING, 'B');
    expect(toHex(await upstream.next(REQUEST_FLUFFY_MISSING))).toBe(
      toHex(missing?.body ?? new Uint8Array()),
    );
    expect(node.height).toBe(105);
    for (const frame of blocks.slice(3)) upstream.send(frame);
    await until(() => node.height === 106);
    expect(idsOf(node)).toEqual(recordedIds(chain));
    expectRecordedTree(storeOf(node), 'short');
  },
  4 * SYNC_MS,
);
