import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { fromHex, parseBlock, parseTransaction, stringifyJson64 } from '@monero-node/codec';
import { readNextFork, type NextForkChain } from '@monero-node/codec/testing';
import { NETWORKS, withOverrides } from '@monero-node/consensus';
import { NO_TREE, type AddedBlock } from '@monero-node/blockchain';
import type { RpcChain } from '@monero-node/rpc/shared';
import { framesAfter, minerDataJson } from './miner-frames.ts';
import { blockJson, transactionJson } from './transaction-json.ts';

const file = new URL('../fixtures/next-fork.json.gz', import.meta.url);
const messages = JSON.parse(gunzipSync(readFileSync(file)).toString('utf8')) as string[];
const short = readNextFork().chains.find(({ name }) => name === 'short') as NextForkChain;

/** The bodies of the messages of a topic. */
const bodies = (topic: string): string[] =>
  messages.flatMap((text) => (text.startsWith(`${topic}:`) ? [text.slice(topic.length + 1)] : []));

test('blocks with a curve tree are shown as upstream publishes them', () => {
  const published = new Set(bodies('json-full-chain_main'));
  const shown = short.blocks
    .map(({ blob }) => stringifyJson64([blockJson(parseBlock(fromHex(blob)).block)]))
    .filter((text) => published.has(text));
  expect(shown).toHaveLength(3);
});

test('a transaction of RingCT type 7 is shown as upstream publishes it, without its proof', () => {
  const published = bodies('json-full-txpool_add');
  expect(published).toHaveLength(1);
  const shown = short.transactions.map(({ blob }) =>
    stringifyJson64([transactionJson(parseTransaction(fromHex(blob)).tx)]),
  );
  expect(shown).toContain(published[0]);
});

test('the data for miners has the curve tree, as upstream publishes it', () => {
  const parsed = short.blocks.map(({ blob }) => parseBlock(fromHex(blob)));
  const fees = (height: number) =>
    short.transactions.reduce((sum, tx) => sum + (tx.height === height ? tx.fee : 0), 0);
  let generatedCoins = 0n;
  const blocks = short.blocks.map(({ reward }, height) => {
    generatedCoins += BigInt(reward - fees(height));
    const meta = { id: parsed[height]?.id, generatedCoins, cumulativeDifficulty: BigInt(height) };
    return { height, meta, nextMedianWeight: 625_000 } as unknown as AddedBlock;
  });
  const hardForks = [
    { version: 1, height: 0, time: 0 },
    { version: 18, height: 1, time: 0 },
  ];
  const chain = {
    network: withOverrides(NETWORKS.regtest, { hardForks }),
    store: { blockMeta: (height: number) => blocks[height]?.meta } as RpcChain['store'],
    nextDifficulty: () => 1n,
    treeRoots: {
      ...NO_TREE,
      treeAt: ({ height }: { height: number }) => parsed[height]?.block.tree,
    },
  };
  // Upstream leaves an empty list out; the block above the top is not known here.
  const shown = framesAfter(blocks.slice(0, -1), chain).map((frame) =>
    stringifyJson64(minerDataJson(frame!, [])).replace(',"tx_backlog":[]', ''),
  );
  const published = bodies('json-full-miner_data').filter((text) =>
    text.includes('"major_version":18'),
  );
  expect(published).toHaveLength(3);
  expect(shown).toEqual(expect.arrayContaining(published));
  const { store, nextDifficulty, treeRoots } = chain;
  const today = { network: NETWORKS.regtest, store, nextDifficulty, treeRoots };
  const [before] = framesAfter(blocks.slice(0, 1), today);
  expect(stringifyJson64(minerDataJson(before!, []))).not.toContain('fcmp');
});

test('before version 17 the data for miners has the empty tree, on a chain that will have one', () => {
  const [text] = bodies('json-full-miner_data');
  const wanted = JSON.parse(text as string) as Record<string, string>;
  const height = 129;
  const hardForks = [
    { version: 1, height: 0, time: 0 },
    { version: 16, height: 1, time: 0 },
    { version: 17, height: 130, time: 0 },
  ];
  const meta = { id: fromHex(wanted['prev_id'] as string), generatedCoins: 4520642101814626n };
  const block = { height: height - 1, meta, nextMedianWeight: 300_000 } as unknown as AddedBlock;
  const chain = {
    network: withOverrides(NETWORKS.regtest, { hardForks }),
    store: {
      blockMeta: () => ({ id: fromHex(wanted['seed_hash'] as string) }),
    } as unknown as RpcChain['store'],
    nextDifficulty: () => 1n,
    treeRoots: { ...NO_TREE, treeAt: () => undefined },
  };
  const [frame] = framesAfter([block], chain);
  expect(stringifyJson64(minerDataJson(frame!, [])).replace(',"tx_backlog":[]', '')).toBe(text);
});
