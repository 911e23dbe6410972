import { jest } from '@jest/globals';
import { until } from '@monero-node/base/testing';
import { decodeMessage, encodeMessage } from '@monero-node/codec';
import { encodeInvoke, encodeNotify } from './levin/frame.ts';
import { EMPTY_REQUEST } from './messages/admin.ts';
import { NEW_BLOCK, REQUEST_FLUFFY_MISSING } from './messages/blocks.ts';
import type { NewBlock } from './messages/blocks.ts';
import { REQUEST_CHAIN } from './messages/chain.ts';
import { COMMANDS } from './messages/commands.ts';
import { NEW_TRANSACTIONS, TXPOOL_COMPLEMENT } from './messages/transactions.ts';
import type { PoolForP2p } from './contract/pool-for-p2p.ts';
import { BAD_POW_NONCE, FakeChain, fakeBlock } from './testing/fake-chain.ts';
import type { RawPeer } from './testing/raw-peer.ts';
import { RawTalk, isBanned, newBlock } from './testing/raw-talk.ts';

jest.setTimeout(30_000);

const talk = new RawTalk();
afterEach(() => talk.stop());

const ALIEN = { top_id: new Uint8Array(32).fill(9), current_height: 50, top_version: 16 };

describe('new blocks', () => {
  test.each([COMMANDS.newFluffyBlock, COMMANDS.newBlock])(
    'takes a block from command %i and hands it on',
    async (command) => {
      const test = await talk.nodes.start();
      const [peer, other] = [await talk.friend(test), await talk.friend(test)];
      const blob = fakeBlock({ id: test.chain.idAt(0), height: 0 });
      peer.notify(command, NEW_BLOCK, newBlock(blob, 2));
      await until(() => test.chain.height === 2);
      const relayed = decodeMessage(NEW_BLOCK, (await other.next(COMMANDS.newFluffyBlock)).body);
      expect(relayed).toEqual(newBlock(blob, 2));
      expect(
        test.node
          .connections()
          .map(({ height }) => height)
          .sort(),
      ).toEqual([1, 2]);
    },
  );

  test('emits an event before and after verification, for valid and invalid blocks', async () => {
    const test = await talk.nodes.start();
    const peer = await talk.friend(test);
    const told: string[] = [];
    test.node.events.on('verifying', (isVerifying) =>
      told.push(`${isVerifying} at ${test.chain.height}`),
    );
    const top = { id: test.chain.idAt(0), height: 0 };
    peer.notify(COMMANDS.newFluffyBlock, NEW_BLOCK, newBlock(fakeBlock(top), 2));
    await until(() => told.length === 2);
    expect(told).toEqual(['true at 1', 'false at 2']);
    const bad = fakeBlock({ id: test.chain.idAt(1), height: 1 }, { nonce: BAD_POW_NONCE });
    peer.notify(COMMANDS.newFluffyBlock, NEW_BLOCK, newBlock(bad, 3));
    await until(() => told.length === 4);
    expect(told.slice(2)).toEqual(['true at 2', 'false at 2']);
  });

  test('requests the transactions it lacks and accepts the answer', async () => {
    const test = await talk.nodes.start();
    const peer = await talk.friend(test);
    const txHashes = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
    const blob = fakeBlock({ id: test.chain.idAt(0), height: 0 }, { txHashes });
    peer.notify(COMMANDS.newFluffyBlock, NEW_BLOCK, newBlock(blob, 2));
    const { body } = await peer.next(COMMANDS.requestFluffyMissing);
    expect(decodeMessage(REQUEST_FLUFFY_MISSING, body)).toMatchObject({
      current_blockchain_height: 2,
      missing_tx_indices: [0n, 1n],
    });
  });

  test('takes missing transactions from the pool', async () => {
    const known = new Uint8Array(32).fill(1);
    const pool: PoolForP2p = {
      transactionBlob: (id) => (id[0] === 1 ? Uint8Array.of(1) : undefined),
      joinedPublicIds: () => known,
      complement: () => [Uint8Array.of(7)],
      receive: () => Promise.resolve(true),
      markRelayed: () => undefined,
    };
    const test = await talk.nodes.start({}, { pool });
    const peer = await talk.friend(test);
    const asked = decodeMessage(
      TXPOOL_COMPLEMENT,
      (await peer.next(COMMANDS.txpoolComplement)).body,
    );
    expect(asked.hashes).toEqual([known]);
    const blob = fakeBlock({ id: test.chain.idAt(0), height: 0 }, { txHashes: [known] });
    peer.notify(COMMANDS.newFluffyBlock, NEW_BLOCK, newBlock(blob, 2));
    await until(() => test.chain.height === 2);
    peer.notify(COMMANDS.txpoolComplement, TXPOOL_COMPLEMENT, { hashes: [] });
    const answer = await peer.next(COMMANDS.newTransactions);
    expect(decodeMessage(NEW_TRANSACTIONS, answer.body)).toEqual({
      _: '',
      dandelionpp_fluff: false,
      txs: [Uint8Array.of(7)],
    });
  });

  test('asks one peer for the pool, and again once it had been alone', async () => {
    const pool: PoolForP2p = {
      transactionBlob: () => undefined,
      joinedPublicIds: () => new Uint8Array(),
      complement: () => [],
      receive: () => Promise.resolve(true),
      markRelayed: () => undefined,
    };
    const test = await talk.nodes.start({}, { pool });
    const asked = (peer: RawPeer) => peer.next(COMMANDS.txpoolComplement);
    const first = await talk.friend(test);
    await asked(first);
    const second = await talk.friend(test);
    first.socket.destroy();
    await until(() => test.node.incomingCount === 1);
    second.socket.destroy();
    await until(() => test.node.incomingCount === 0);
    await asked(await talk.friend(test));
    expect(second.take(COMMANDS.txpoolComplement)).toBeUndefined();
  });

  test('requests the chain when the parent is unknown', async () => {
    const test = await talk.nodes.start();
    const peer = await talk.friend(test);
    const orphan = fakeBlock({ id: new Uint8Array(32).fill(3), height: 7 });
    peer.notify(COMMANDS.newFluffyBlock, NEW_BLOCK, newBlock(orphan, 9));
    await peer.next(COMMANDS.requestChain);
  });

  test('adds ten points for a block without proof of work; one more point bans the host', async () => {
    const test = await talk.nodes.start();
    for (const banned of [false, true]) {
      const peer = await talk.friend(test);
      const nonce = BAD_POW_NONCE;
      const blob = fakeBlock({ id: test.chain.idAt(0), height: 0 }, { nonce });
      peer.notify(COMMANDS.newFluffyBlock, NEW_BLOCK, newBlock(blob, 2));
      await peer.closed;
      expect(isBanned(test)).toBe(banned);
    }
  });

  const genesis = new FakeChain().idAt(0);
  const good = fakeBlock({ id: genesis, height: 0 });
  const twice = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(1)];
  const stowaway = Uint8Array.of(1, 2);
  const OFFENSES: [string, NewBlock][] = [
    ['bytes that are not a block', newBlock(new Uint8Array(50), 2)],
    ['more bytes than a block may have', newBlock(new Uint8Array(600_101), 2)],
    [
      'a transaction listed twice',
      newBlock(fakeBlock({ id: genesis, height: 0 }, { txHashes: twice }), 2),
    ],
    [
      'a transaction that it does not list',
      { ...newBlock(good, 2), b: { block: good, block_weight: 0, pruned: false, txs: [stowaway] } },
    ],
  ];
  test.each(OFFENSES)('a new block with %s drops the peer', async (_, message) => {
    const test = await talk.nodes.start();
    const peer = await talk.friend(test);
    peer.notify(COMMANDS.newFluffyBlock, NEW_BLOCK, message);
    await peer.closed;
    expect([isBanned(test), test.chain.height]).toEqual([false, 1]);
  });

  test('are ignored while synchronizing', async () => {
    const test = await talk.nodes.start();
    const peer = await talk.friend(test, ALIEN);
    await peer.next(COMMANDS.requestChain);
    peer.notify(COMMANDS.newFluffyBlock, NEW_BLOCK, newBlock(good, 2));
    peer.invoke(COMMANDS.ping, EMPTY_REQUEST, {});
    await peer.next(COMMANDS.ping);
    expect(test.chain.height).toBe(1);
  });
});

describe('transactions', () => {
  test('are ignored without a pool, and a pool request gets an empty answer', async () => {
    const test = await talk.nodes.start();
    const peer = await talk.friend(test);
    peer.notify(COMMANDS.newTransactions, NEW_TRANSACTIONS, {
      _: '   ',
      dandelionpp_fluff: true,
      txs: [Uint8Array.of(1)],
    });
    peer.notify(COMMANDS.txpoolComplement, TXPOOL_COMPLEMENT, { hashes: [new Uint8Array(32)] });
    const answer = await peer.next(COMMANDS.newTransactions);
    expect(decodeMessage(NEW_TRANSACTIONS, answer.body).txs).toEqual([]);
  });

  test('drop the peer when one is repeated in a message or invalid', async () => {
    const received: unknown[] = [];
    const pool: PoolForP2p = {
      transactionBlob: () => undefined,
      joinedPublicIds: () => new Uint8Array(),
      complement: () => [],
      receive: (message) => {
        received.push(message);
        return Promise.resolve(message.txs[0]?.[0] !== 66);
      },
      markRelayed: () => undefined,
    };
    const test = await talk.nodes.start({}, { pool });
    const send = async (...txs: number[]): Promise<RawPeer> => {
      const peer = await talk.friend(test);
      const message = { _: '', dandelionpp_fluff: false, txs: txs.map((n) => Uint8Array.of(n)) };
      peer.notify(COMMANDS.newTransactions, NEW_TRANSACTIONS, message);
      return peer;
    };
    await (
      await send(1, 1)
    ).closed;
    await (
      await send(66)
    ).closed;
    await send(5);
    await until(() => received.length === 2);
    expect(received[1]).toMatchObject({ fluff: false, txs: [Uint8Array.of(5)] });
    expect(test.node.incomingCount).toBe(1);
  });
});

describe('hostile bytes', () => {
  test('survives random bytes', async () => {
    const test = await talk.nodes.start();
    let seed = 1;
    const random = (n: number): number =>
      Math.floor(((seed = (seed * 48271) % 2147483647) / 2147483647) * n);
    const commands = Object.values(COMMANDS);
    for (let round = 0; round < 60; round++) {
      const peer = await talk.connect(test);
      const command = commands[random(commands.length)] ?? 1001;
      const body = Uint8Array.from({ length: random(200) }, () => random(256));
      if (random(2)) body.set([1, 0x11, 1, 1, 1, 1, 2, 1, 1].slice(0, body.length));
      peer.write(random(2) ? encodeInvoke(command, body) : encodeNotify(command, body));
      if (random(2)) peer.socket.destroy();
      else peer.socket.end();
      await peer.closed;
    }
    await until(() => test.node.incomingCount === 0);
    test.node.unban('127.0.0.1');
    const peer = await talk.friend(test);
    peer.invoke(COMMANDS.ping, EMPTY_REQUEST, {});
    expect((await peer.next(COMMANDS.ping)).returnCode).toBe(1);
  });

  test('survives mutated messages of a peer that completed the handshake', async () => {
    const test = await talk.nodes.start();
    test.chain.grow(3);
    const good = encodeNotify(
      COMMANDS.requestChain,
      encodeMessage(REQUEST_CHAIN, { block_ids: [test.chain.idAt(0)], prune: false }),
    );
    for (let at = 0; at < good.length; at += 3) {
      const peer = await talk.friend(test);
      const bytes = good.slice();
      bytes[at]! ^= 0xff;
      peer.write(bytes);
      peer.socket.end();
      await peer.closed;
    }
    await until(() => test.node.incomingCount === 0);
    await talk.friend(test);
  });
});
