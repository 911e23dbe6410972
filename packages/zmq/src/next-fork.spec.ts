import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { fromHex, parseBlock, parseTransaction, stringifyJson64 } from '@monero-node/codec';
import { readNextFork, type NextForkChain } from '@monero-node/codec/testing';
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
