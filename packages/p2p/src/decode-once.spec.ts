import { jest } from '@jest/globals';
import * as codec from '@monero-node/codec';

/** Calls of the codec's parsers since the last reset. */
const parses = { blocks: 0, transactions: 0 };

jest.unstable_mockModule('@monero-node/codec', () => ({
  ...codec,
  parseBlock: (blob: Uint8Array) => {
    parses.blocks++;
    return codec.parseBlock(blob);
  },
  parseTransaction: (blob: Uint8Array) => {
    parses.transactions++;
    return codec.parseTransaction(blob);
  },
}));

const { NEW_BLOCK, RESPONSE_OBJECTS } = await import('./messages/blocks.ts');
const { COMMANDS } = await import('./messages/commands.ts');
const { addReceived } = await import('./sync/add-received.ts');
const { checkObjects } = await import('./sync/objects.ts');
const { PeerChain } = await import('./sync/peer-chain.ts');
const { Violation } = await import('./peers/violation.ts');
const { FakeChain, makeBlock } = await import('./testing/fake-chain.ts');
const { recordedFrame } = await import('./testing/recorded.ts');
const { newBlock, RawTalk } = await import('./testing/raw-talk.ts');
const { until } = await import('./testing/test-node.ts');

const talk = new RawTalk();
afterEach(() => talk.stop());

const entries = codec.decodeMessage(RESPONSE_OBJECTS, recordedFrame('objects').body).blocks;
const blobs = entries.flatMap(({ txs }) => txs).filter((tx) => tx instanceof Uint8Array);
const tx = codec.parseTransaction(blobs[0] ?? new Uint8Array());

function reset(): void {
  Object.assign(parses, { blocks: 0, transactions: 0 });
}

test('parses every block and transaction of a downloaded span exactly once', async () => {
  const parsed = entries.map(({ block }) => codec.parseBlock(block));
  const ids = parsed.map(({ id }) => codec.toHex(id));
  const [input] = parsed[0]?.block.minerTx.inputs ?? [];
  const start = input?.kind === 'gen' ? input.height : 0;
  const parent = codec.toHex(parsed[0]?.block.prevId ?? new Uint8Array());
  const peerChain = new PeerChain(start - 1, [parent, ...ids]);
  const chain = new FakeChain();
  reset();
  const received = await checkObjects(entries, { start, ids }, peerChain);
  if (received instanceof Violation) throw received;
  await addReceived(chain, received.blocks);
  expect(chain.spans).toEqual([entries.length]);
  expect(blobs.length).toBeGreaterThan(0);
  expect(parses).toEqual({ blocks: entries.length, transactions: blobs.length });
});

test('parses a new block and the transactions that come with it exactly once', async () => {
  const node = await talk.nodes.start();
  const peer = await talk.friend(node);
  const blob = makeBlock({ id: node.chain.idAt(0), height: 0 }, { txHashes: [tx.id] });
  const message = newBlock(blob, 2);
  reset();
  peer.notify(COMMANDS.newFluffyBlock, NEW_BLOCK, {
    ...message,
    b: { ...message.b, txs: [tx.blob] },
  });
  await until(() => node.chain.height === 2);
  expect(parses).toEqual({ blocks: 1, transactions: 1 });
});

test('parses a new block once and leaves transactions of the pool to the chain', async () => {
  const txRelay = {
    transactionBlob: () => tx.blob,
    publicIds: () => [tx.id],
    complement: () => [],
    receive: () => Promise.resolve(true),
    markRelayed: () => undefined,
  };
  const node = await talk.nodes.start({}, { txRelay });
  const peer = await talk.friend(node);
  const blob = makeBlock({ id: node.chain.idAt(0), height: 0 }, { txHashes: [tx.id] });
  reset();
  peer.notify(COMMANDS.newFluffyBlock, NEW_BLOCK, newBlock(blob, 2));
  await until(() => node.chain.height === 2);
  expect(parses).toEqual({ blocks: 1, transactions: 0 });
});
