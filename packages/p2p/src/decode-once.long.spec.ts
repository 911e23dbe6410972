import { until } from '@monero-node/base/testing';
import { decodeMessage, parseBlock, parseTransaction, toHex } from '@monero-node/codec';
import { countParses } from '@monero-node/codec/testing';
import { NEW_BLOCK, RESPONSE_OBJECTS } from './messages/blocks.ts';
import { COMMANDS } from './messages/commands.ts';
import { Violation } from './peers/bans/violation.ts';
import { addReceived } from './sync/add-received.ts';
import { checkObjects } from './sync/answers.ts';
import { PeerChain } from './sync/peer-chain.ts';
import { BAD_POW_NONCE, FakeChain, fakeBlock } from './testing/fake-chain.ts';
import { newBlock, RawTalk } from './testing/raw-talk.ts';
import { recordedFrame } from './testing/recorded/frames.ts';

const talk = new RawTalk();
afterEach(() => talk.stop());

const entries = decodeMessage(RESPONSE_OBJECTS, recordedFrame('objects').body).blocks;
const [recorded] = entries.find(({ txs }) => txs.length > 0)?.txs ?? [];
const tx = parseTransaction(recorded instanceof Uint8Array ? recorded : new Uint8Array());

test('parses every block and transaction of a downloaded span exactly once', async () => {
  const chain = new FakeChain();
  const first = fakeBlock({ id: chain.idAt(0), height: 0 }, { txHashes: [tx.id] });
  const firstId = parseBlock(first).id;
  const second = fakeBlock({ id: firstId, height: 1 });
  const ids = [firstId, parseBlock(second).id].map(toHex);
  const peerChain = new PeerChain(0, [toHex(chain.idAt(0)), ...ids]);
  const whole = { pruned: false, block_weight: 0 };
  const span = [
    { ...whole, block: first, txs: [tx.blob] },
    { ...whole, block: second, txs: [] },
  ];
  const parses = await countParses(async () => {
    const received = await checkObjects(span, { start: 1, ids }, peerChain, chain.network);
    if (received instanceof Violation) throw new Error(received.reason);
    await addReceived(chain, received.blocks);
  });
  expect(chain.height).toBe(3);
  expect(parses).toEqual({ blocks: 2, transactions: 1 });
});

test('parses a new block and the transactions that come with it exactly once', async () => {
  const node = await talk.nodes.start();
  const peer = await talk.friend(node);
  const blob = fakeBlock({ id: node.chain.idAt(0), height: 0 }, { txHashes: [tx.id] });
  const message = newBlock(blob, 2);
  const parses = await countParses(async () => {
    peer.notify(COMMANDS.newFluffyBlock, NEW_BLOCK, {
      ...message,
      b: { ...message.b, txs: [tx.blob] },
    });
    await until(() => node.chain.height === 2);
  });
  expect(parses).toEqual({ blocks: 1, transactions: 1 });
});

test('a new block with 90 MB of transactions is refused before they are decoded', async () => {
  const node = await talk.nodes.start();
  const peer = await talk.friend(node);
  const big = Array.from({ length: 900 }, () => new Uint8Array(100_000));
  const txHashes = big.map((_, i) =>
    new Uint8Array(32)
      .fill(1)
      .fill(i % 256, 0, 1)
      .fill(i >> 8, 1, 2),
  );
  const blob = fakeBlock({ id: node.chain.idAt(0), height: 0 }, { txHashes });
  const message = newBlock(blob, 2);
  const parses = await countParses(async () => {
    peer.notify(COMMANDS.newBlock, NEW_BLOCK, { ...message, b: { ...message.b, txs: big } });
    await peer.closed;
  });
  expect(parses).toEqual({ blocks: 1, transactions: 0 });
  expect(node.chain.height).toBe(1);
});

test('transactions of a new block without proof of work are not decoded', async () => {
  const node = await talk.nodes.start();
  const peer = await talk.friend(node);
  const options = { txHashes: [tx.id], nonce: BAD_POW_NONCE };
  const message = newBlock(fakeBlock({ id: node.chain.idAt(0), height: 0 }, options), 2);
  const parses = await countParses(async () => {
    peer.notify(COMMANDS.newBlock, NEW_BLOCK, { ...message, b: { ...message.b, txs: [tx.blob] } });
    await peer.closed;
  });
  expect(parses).toEqual({ blocks: 1, transactions: 0 });
});

test('parses a new block once and leaves transactions of the pool to the chain', async () => {
  const pool = {
    transactionBlob: () => tx.blob,
    joinedPublicIds: () => tx.id,
    complement: () => [],
    receive: () => Promise.resolve(true),
    markRelayed: () => undefined,
  };
  const node = await talk.nodes.start({}, { pool });
  const peer = await talk.friend(node);
  const blob = fakeBlock({ id: node.chain.idAt(0), height: 0 }, { txHashes: [tx.id] });
  const parses = await countParses(async () => {
    peer.notify(COMMANDS.newFluffyBlock, NEW_BLOCK, newBlock(blob, 2));
    await until(() => node.chain.height === 2);
  });
  expect(parses).toEqual({ blocks: 1, transactions: 0 });
});
