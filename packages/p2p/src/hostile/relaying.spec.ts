import { jest } from '@jest/globals';
import { until } from '@monero-node/base/testing';
import { decodeMessage } from '@monero-node/codec';
import { EMPTY_REQUEST } from '../messages/admin.ts';
import { NEW_BLOCK, REQUEST_FLUFFY_MISSING } from '../messages/blocks.ts';
import type { NewBlock } from '../messages/blocks.ts';
import { COMMANDS } from '../messages/commands.ts';
import { NEW_TRANSACTIONS, TXPOOL_COMPLEMENT } from '../messages/transactions.ts';
import type { ReceivedTransactions, PoolForP2p } from '../contract/pool-for-p2p.ts';
import { Arena, ARENA_BLOCKS } from '../testing/arena.ts';
import { BAD_POW_NONCE, BAD_REWARD_NONCE, fakeBlock } from '../testing/fake-chain.ts';
import { newBlock } from '../testing/raw-talk.ts';

jest.setTimeout(60_000);

/** A pool that finds every transaction beginning with 66 invalid. */
class PickyPool implements PoolForP2p {
  readonly received: ReceivedTransactions[] = [];
  transactionBlob = (): undefined => undefined;
  joinedPublicIds = (): Uint8Array => new Uint8Array();
  complement = (): Uint8Array[] => [];
  markRelayed = (): void => {};
  receive = (message: ReceivedTransactions): Promise<boolean> => {
    this.received.push(message);
    return Promise.resolve(message.txs.every((tx) => tx[0] !== 66));
  };
}

let arena: Arena;
let pool: PickyPool;
beforeEach(async () => {
  pool = new PickyPool();
  arena = await Arena.open({}, { pool });
});
afterEach(() => arena.close());

const HEIGHT = ARENA_BLOCKS + 1;
const hash = (byte: number): Uint8Array => new Uint8Array(32).fill(byte);

/** A block on top of the node's chain. */
function next(options: { nonce?: number; txHashes?: Uint8Array[] } = {}): Uint8Array {
  const parent = { id: arena.test.chain.idAt(ARENA_BLOCKS), height: ARENA_BLOCKS };
  return fakeBlock(parent, options);
}

function withTxs(block: Uint8Array, txs: NewBlock['b']['txs'], pruned = false): NewBlock {
  return { ...newBlock(block, HEIGHT + 1), b: { block, block_weight: 0, pruned, txs } };
}

const TX = Uint8Array.of(1, 2);
const PRUNED_TX = { blob: TX, prunable_hash: new Uint8Array(32) };
const BLOCKS: [string, number, () => NewBlock][] = [
  ['bytes that are not a block', 0, () => newBlock(new Uint8Array(50), HEIGHT + 1)],
  ['no bytes', 0, () => newBlock(new Uint8Array(0), HEIGHT + 1)],
  ['more bytes than a block may have', 0, () => newBlock(new Uint8Array(600_101), HEIGHT + 1)],
  ['a transaction listed twice', 0, () => newBlock(next({ txHashes: [hash(1), hash(1)] }), 22)],
  ['a transaction that it does not list', 0, () => withTxs(next(), [TX])],
  ['more transactions than it lists', 0, () => withTxs(next({ txHashes: [hash(1)] }), [TX, TX])],
  ['pruned transactions', 0, () => withTxs(next({ txHashes: [hash(1)] }), [PRUNED_TX], true)],
  ['no proof of work', 10, () => newBlock(next({ nonce: BAD_POW_NONCE }), HEIGHT + 1)],
  ['a wrong reward', 1, () => newBlock(next({ nonce: BAD_REWARD_NONCE }), HEIGHT + 1)],
];

for (const command of [COMMANDS.newBlock, COMMANDS.newFluffyBlock]) {
  const kind = command === COMMANDS.newBlock ? 'full' : 'fluffy';
  test.each(BLOCKS)(`dropped: a new ${kind} block with %s (%d points)`, async (_, points, make) => {
    const attacker = await arena.introduced();
    attacker.notify(command, NEW_BLOCK, make());
    await attacker.closed;
    expect(arena.points).toBe(points);
    expect(arena.test.chain.height).toBe(HEIGHT);
    await arena.stillServes();
  });
}

test('banned: a second block without proof of work', async () => {
  const host = '127.0.99.1';
  for (const banned of [[], [host]]) {
    const attacker = await arena.attacker(host);
    const { ownSyncData } = await import('../serve/chain.ts');
    await attacker.introduce(ownSyncData(arena.test.chain));
    const block = newBlock(next({ nonce: BAD_POW_NONCE }), HEIGHT + 1);
    attacker.notify(COMMANDS.newFluffyBlock, NEW_BLOCK, block);
    await attacker.closed;
    expect(arena.banned).toEqual(banned);
  }
  await arena.stillServes();
});

test('ignored: a block with transactions that are never delivered', async () => {
  const attacker = await arena.introduced();
  const block = next({ txHashes: [hash(1), hash(2)] });
  for (let i = 0; i < 50; i++) {
    attacker.notify(COMMANDS.newFluffyBlock, NEW_BLOCK, newBlock(block, HEIGHT + 1));
    const { body } = await attacker.next(COMMANDS.requestFluffyMissing);
    const { missing_tx_indices } = decodeMessage(REQUEST_FLUFFY_MISSING, body);
    expect(missing_tx_indices).toEqual([0n, 1n]);
  }
  expect(arena.test.chain.height).toBe(HEIGHT);
  await arena.stillServes();
});

test('stays: a wrong height next to a valid block is ignored', async () => {
  const attacker = await arena.introduced();
  const peerHeight = (): number | undefined =>
    arena.test.node.connections().find(({ host }) => host !== '127.0.0.1')?.height;
  attacker.notify(
    COMMANDS.newFluffyBlock,
    NEW_BLOCK,
    newBlock(arena.test.chain.store.blockBlob(5) ?? hash(0), 1e6),
  );
  attacker.invoke(COMMANDS.ping, EMPTY_REQUEST, {});
  await attacker.next(COMMANDS.ping);
  expect(peerHeight()).toBe(HEIGHT);
  expect(arena.test.node.targetHeight).toBe(0);
  await arena.stillServes();
});

test('stays: an orphan block, for which the node only requests the chain', async () => {
  const attacker = await arena.introduced();
  const orphan = fakeBlock({ id: hash(3), height: 70 });
  attacker.notify(COMMANDS.newFluffyBlock, NEW_BLOCK, newBlock(orphan, 72));
  await attacker.next(COMMANDS.requestChain);
  await arena.stillServes();
});

const message = (...txs: Uint8Array[]) => ({ _: '', dandelionpp_fluff: true, txs });

test('dropped: a transaction that fails verification (0 points)', async () => {
  const attacker = await arena.introduced();
  attacker.notify(COMMANDS.newTransactions, NEW_TRANSACTIONS, message(Uint8Array.of(66)));
  await attacker.closed;
  expect(arena.points).toBe(0);
  await arena.stillServes();
});

test('who leaves is known to have left by those who verify what it sent, and not before', async () => {
  const attacker = await arena.introduced();
  attacker.notify(COMMANDS.newTransactions, NEW_TRANSACTIONS, message(hash(1)));
  await until(() => pool.received.length === 1);
  const [received] = pool.received;
  expect(received?.left?.aborted).toBe(false);
  attacker.notify(COMMANDS.newTransactions, NEW_TRANSACTIONS, message(Uint8Array.of(66)));
  await attacker.closed;
  await until(() => received?.left?.aborted === true);
});

test('dropped: the same transaction twice in one message (0 points)', async () => {
  const attacker = await arena.introduced();
  attacker.notify(COMMANDS.newTransactions, NEW_TRANSACTIONS, message(hash(1), hash(1)));
  await attacker.closed;
  expect([arena.points, pool.received.length]).toEqual([0, 0]);
  await arena.stillServes();
});

test('ignored: transactions before the handshake', async () => {
  const attacker = await arena.attacker();
  attacker.notify(COMMANDS.newTransactions, NEW_TRANSACTIONS, message(hash(1)));
  attacker.invoke(COMMANDS.ping, EMPTY_REQUEST, {});
  await attacker.next(COMMANDS.ping);
  expect(pool.received).toEqual([]);
  await arena.stillServes();
});

test('ignored: blocks and pool requests before the handshake', async () => {
  const attacker = await arena.attacker();
  attacker.notify(COMMANDS.newFluffyBlock, NEW_BLOCK, newBlock(next(), HEIGHT + 1));
  attacker.notify(COMMANDS.txpoolComplement, TXPOOL_COMPLEMENT, { hashes: [hash(1)] });
  attacker.invoke(COMMANDS.ping, EMPTY_REQUEST, {});
  await attacker.next(COMMANDS.ping);
  expect(attacker.take(COMMANDS.newTransactions)).toBeUndefined();
  await arena.stillServes();
});

test('stays: a message of 60,000 bytes of padding, and one of 16,000 transactions', async () => {
  const attacker = await arena.introduced();
  const padded = { ...message(hash(1)), _: ' '.repeat(60_000) };
  attacker.notify(COMMANDS.newTransactions, NEW_TRANSACTIONS, padded);
  const many = Array.from({ length: 16_000 }, (_, i) => Uint8Array.of(1, i & 255, i >> 8));
  attacker.notify(COMMANDS.newTransactions, NEW_TRANSACTIONS, message(...many));
  await until(() => pool.received.length === 2);
  await arena.stillServes();
});

test('closed: 17,000 transactions in one message', async () => {
  const attacker = await arena.introduced();
  const many = Array.from({ length: 17_000 }, (_, i) => Uint8Array.of(1, i & 255, i >> 8));
  attacker.notify(COMMANDS.newTransactions, NEW_TRANSACTIONS, message(...many));
  await attacker.closed;
  expect(pool.received).toEqual([]);
  await arena.stillServes();
});

test('stays: a pool request that lists 100,000 transactions', async () => {
  const attacker = await arena.introduced();
  const hashes = Array.from({ length: 100_000 }, () => hash(7));
  attacker.notify(COMMANDS.txpoolComplement, TXPOOL_COMPLEMENT, { hashes });
  await attacker.next(COMMANDS.newTransactions);
  await arena.stillServes();
});
