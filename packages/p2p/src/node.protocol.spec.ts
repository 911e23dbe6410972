import { jest } from '@jest/globals';
import { decodeMessage, encodeMessage } from '@monero-node/codec';
import { encodeInvoke, encodeNotify } from './levin/frame.ts';
import {
  EMPTY_REQUEST,
  HANDSHAKE_RESPONSE,
  PING_RESPONSE,
  SUPPORT_FLAGS_RESPONSE,
  TIMED_SYNC_REQUEST,
  TIMED_SYNC_RESPONSE,
} from './messages/admin.ts';
import type { SyncData } from './messages/admin.ts';
import {
  NEW_BLOCK,
  REQUEST_FLUFFY_MISSING,
  REQUEST_OBJECTS,
  RESPONSE_OBJECTS,
} from './messages/blocks.ts';
import type { NewBlock } from './messages/blocks.ts';
import { REQUEST_CHAIN, RESPONSE_CHAIN } from './messages/chain.ts';
import { COMMANDS } from './messages/commands.ts';
import { NEW_TRANSACTIONS, TXPOOL_COMPLEMENT } from './messages/transactions.ts';
import type { TxRelay } from './relay/tx-relay.ts';
import { ownSyncData } from './sync/sync-data.ts';
import { BAD_POW_NONCE, FakeChain, makeBlock } from './testing/fake-chain.ts';
import { RawListener, RawPeer } from './testing/raw-peer.ts';
import { TestNodes, loopback, until } from './testing/test-node.ts';
import type { TestNode } from './testing/test-node.ts';

jest.setTimeout(30_000);

const nodes = new TestNodes();
const rawPeers: RawPeer[] = [];
const listeners: RawListener[] = [];
afterEach(async () => {
  for (const peer of rawPeers.splice(0)) peer.socket.destroy();
  for (const listener of listeners.splice(0)) listener.close();
  await nodes.stop();
});

async function rawPeer({ node }: TestNode): Promise<RawPeer> {
  const peer = await RawPeer.connectTo(node.listenPort);
  rawPeers.push(peer);
  return peer;
}

/** A peer that has introduced itself with the same chain, so that nobody wants to synchronize. */
async function friend(test: TestNode, changes: Partial<SyncData> = {}): Promise<RawPeer> {
  const peer = await rawPeer(test);
  await peer.introduce({ ...ownSyncData(test.chain), ...changes });
  await until(() => test.node.synchronized || changes.top_id !== undefined);
  return peer;
}

function scoreOf({ node }: TestNode): string {
  return node.bans().length > 0 ? 'banned' : 'free';
}

function block(blob: Uint8Array, height: number): NewBlock {
  return {
    b: { block: blob, block_weight: 0, pruned: false, txs: [] },
    current_blockchain_height: height,
  };
}

const ALIEN = { top_id: new Uint8Array(32).fill(9), current_height: 50, top_version: 16 };

describe('introductions', () => {
  test('answers a handshake, ping, support flags and timed sync', async () => {
    const test = await nodes.start({ rpcPort: 18089 });
    test.chain.grow(3);
    const peer = await rawPeer(test);
    peer.invoke(COMMANDS.ping, EMPTY_REQUEST, {}); // allowed before the handshake
    const pong = decodeMessage(PING_RESPONSE, (await peer.next(COMMANDS.ping)).body);
    expect(pong.status).toBe('OK');
    const answer = await peer.introduce(ownSyncData(test.chain));
    const { local_peerlist_new, node_data, payload_data } = decodeMessage(
      HANDSHAKE_RESPONSE,
      answer.body,
    );
    expect(answer.returnCode).toBe(1);
    expect(local_peerlist_new).toEqual([]);
    expect(node_data).toMatchObject({
      my_port: test.node.listenPort,
      peer_id: pong.peer_id,
      rpc_port: 18089,
      support_flags: 1,
    });
    expect(payload_data).toMatchObject({
      cumulative_difficulty: 4n,
      current_height: 4,
      pruning_seed: 0,
      top_version: 16,
    });
    peer.invoke(COMMANDS.supportFlags, EMPTY_REQUEST, {});
    const flags = await peer.next(COMMANDS.supportFlags);
    expect(decodeMessage(SUPPORT_FLAGS_RESPONSE, flags.body).support_flags).toBe(1);
    peer.invoke(COMMANDS.timedSync, TIMED_SYNC_REQUEST, { payload_data: ownSyncData(test.chain) });
    const sync = await peer.next(COMMANDS.timedSync);
    expect(decodeMessage(TIMED_SYNC_RESPONSE, sync.body).payload_data.current_height).toBe(4);
  });

  test('asks for support flags when the handshake carries none', async () => {
    const test = await nodes.start();
    const peer = await rawPeer(test);
    await peer.introduce(ownSyncData(test.chain), { support_flags: 0 });
    expect((await peer.next(COMMANDS.supportFlags)).kind).toBe('invoke');
    peer.respond(COMMANDS.supportFlags, SUPPORT_FLAGS_RESPONSE, { support_flags: 5 });
    await until(() => test.node.connections()[0]?.supportFlags === 5);
  });

  test('hides its port when asked to, or announces another', async () => {
    const hidden = await nodes.start({ hideMyPort: true, externalPort: 99 });
    const moved = await nodes.start({ externalPort: 99 });
    const ports = [];
    for (const test of [hidden, moved]) {
      const peer = await rawPeer(test);
      const { body } = await peer.introduce(ownSyncData(test.chain));
      ports.push(decodeMessage(HANDSHAKE_RESPONSE, body).node_data.my_port);
    }
    expect(ports).toEqual([0, 99]);
  });

  test.each([
    ['another network', { network_id: new Uint8Array(16) }, {}],
    ['a wrong version', {}, { top_version: 15, current_height: 40, top_id: new Uint8Array(32) }],
    ['an odd pruning seed', {}, { pruning_seed: 5 }],
  ])('drops a peer with %s', async (_, node, sync) => {
    const test = await nodes.start();
    const peer = await rawPeer(test);
    void peer.introduce({ ...ownSyncData(test.chain), ...sync }, node).catch(() => {});
    await peer.closed;
    expect(scoreOf(test)).toBe('free');
  });

  test('drops a peer with our own id', async () => {
    const test = await nodes.start();
    const probe = await rawPeer(test);
    probe.invoke(COMMANDS.ping, EMPTY_REQUEST, {});
    const { peer_id } = decodeMessage(PING_RESPONSE, (await probe.next(COMMANDS.ping)).body);
    void probe.introduce(ownSyncData(test.chain), { peer_id }).catch(() => {});
    await probe.closed;
  });

  test('drops a peer that introduces itself twice', async () => {
    const test = await nodes.start();
    const peer = await friend(test);
    void peer.introduce(ownSyncData(test.chain)).catch(() => {});
    await peer.closed;
  });

  test('eleven wrong networks ban a host', async () => {
    const test = await nodes.start();
    for (let i = 0; i < 11; i++) {
      expect(scoreOf(test)).toBe('free');
      const peer = await rawPeer(test);
      const network_id = new Uint8Array(16);
      void peer.introduce(ownSyncData(test.chain), { network_id }).catch(() => {});
      await peer.closed;
    }
    expect(scoreOf(test)).toBe('banned');
    const refused = await rawPeer(test);
    await refused.closed;
  });

  test('unknown invokes get -6, unknown notifications nothing', async () => {
    const test = await nodes.start();
    const peer = await friend(test);
    peer.write(encodeNotify(2999, new Uint8Array(10)));
    peer.invoke(1005, EMPTY_REQUEST, {});
    expect((await peer.next(1005)).returnCode).toBe(-6);
  });

  test('takes white peers from nobody, and gray ones only in good shape', async () => {
    const listener = await RawListener.open();
    listeners.push(listener);
    const test = await nodes.start({ exclusiveNodes: [loopback(listener.port)] });
    const peer = await listener.next();
    rawPeers.push(peer);
    const entry = (host: string, changes = {}) => ({
      adr: { kind: 'ipv4', host, port: 18080 } as const,
      id: 5n,
      last_seen: 1_700_000_000n,
      pruning_seed: 0,
      rpc_credits_per_hash: 0,
      rpc_port: 0,
      ...changes,
    });
    await peer.next(COMMANDS.handshake);
    peer.respond(COMMANDS.handshake, HANDSHAKE_RESPONSE, {
      local_peerlist_new: [
        entry('9.9.9.9', { pruning_seed: 384, rpc_port: 18089 }),
        entry('127.0.0.1'),
        entry('192.168.1.1'),
        entry('0.0.0.0'),
        entry('9.9.9.8', { rpc_port: 18080 }),
        entry('9.9.9.7', { pruning_seed: 1 }),
      ],
      node_data: {
        my_port: 0,
        network_id: test.chain.network.networkId,
        peer_id: 6n,
        rpc_credits_per_hash: 0,
        rpc_port: 0,
        support_flags: 1,
      },
      payload_data: ownSyncData(test.chain),
    });
    await until(() => test.node.synchronized);
    expect(test.node.peerLists()).toEqual({
      white: [],
      gray: [
        {
          id: 5n,
          host: '9.9.9.9',
          ip: 0x09090909,
          port: 18080,
          lastSeen: 0,
          pruningSeed: 384,
          rpcPort: 18089,
          rpcCreditsPerHash: 0,
        },
      ],
    });
  });
});

describe('synchronizing with a peer that does not play fair', () => {
  async function synchronizing(): Promise<{ test: TestNode; peer: RawPeer; theirs: FakeChain }> {
    const theirs = new FakeChain();
    theirs.grow(30);
    const test = await nodes.start();
    const peer = await rawPeer(test);
    await peer.introduce(ownSyncData(theirs));
    await peer.next(COMMANDS.requestChain);
    return { test, peer, theirs };
  }

  function entryOf(theirs: FakeChain, from = 0, count = theirs.height - from) {
    return {
      cumulative_difficulty: 0n,
      cumulative_difficulty_top64: 0n,
      first_block: new Uint8Array(0),
      m_block_ids: Array.from({ length: count }, (_, i) => theirs.idAt(from + i)),
      m_block_weights: [] as bigint[],
      start_height: from,
      total_height: theirs.height,
    };
  }

  const ANSWERS: [string, (theirs: FakeChain) => Partial<ReturnType<typeof entryOf>>][] = [
    ['no ids', () => ({ m_block_ids: [] })],
    ['an unknown first id', (theirs) => entryOf(theirs, 1)],
    ['a start beyond what was asked', (theirs) => entryOf(theirs, 5)],
    [
      'duplicate ids',
      (theirs) => ({ m_block_ids: [theirs.idAt(0), theirs.idAt(1), theirs.idAt(1)] }),
    ],
    ['a total below the ids', () => ({ total_height: 3 })],
    ['a total beyond reason', () => ({ total_height: 500_000_000 })],
    ['too few weights', () => ({ m_block_weights: [1n] })],
    [
      'too many ids',
      (theirs) => ({
        m_block_ids: new Array<Uint8Array>(25_001).fill(theirs.idAt(0)),
        total_height: 30_000,
      }),
    ],
    [
      'genesis again',
      (theirs) => ({ m_block_ids: [theirs.idAt(0), theirs.idAt(1), theirs.idAt(0)] }),
    ],
  ];

  test.each(ANSWERS)('a chain entry with %s drops it', async (_, change) => {
    const { test, peer, theirs } = await synchronizing();
    peer.notify(COMMANDS.responseChain, RESPONSE_CHAIN, { ...entryOf(theirs), ...change(theirs) });
    await peer.closed;
    await until(() => test.node.incomingCount === 0);
    expect(test.node.syncInfo().spans).toEqual([]);
  });

  test('a chain entry that shows less than it claims drops it instead of looping', async () => {
    const { peer, theirs, test } = await synchronizing();
    const entry = { ...entryOf(theirs, 0, 1), total_height: 31 };
    peer.notify(COMMANDS.responseChain, RESPONSE_CHAIN, entry);
    await peer.next(COMMANDS.requestChain);
    peer.notify(COMMANDS.responseChain, RESPONSE_CHAIN, entry);
    await peer.closed;
    expect(scoreOf(test)).toBe('free');
  });

  async function askedForBlocks() {
    const { test, peer, theirs } = await synchronizing();
    peer.notify(COMMANDS.responseChain, RESPONSE_CHAIN, entryOf(theirs));
    const request = decodeMessage(REQUEST_OBJECTS, (await peer.next(COMMANDS.requestObjects)).body);
    const entries = request.blocks.map((id) => ({
      block: theirs.blockBundleById(id)?.block ?? new Uint8Array(0),
      block_weight: 0,
      pruned: false,
      txs: [] as { blob: Uint8Array; prunable_hash: Uint8Array }[],
    }));
    const answer = (blocks: typeof entries, height = 31): void =>
      peer.notify(COMMANDS.responseObjects, RESPONSE_OBJECTS, {
        blocks,
        current_blockchain_height: height,
        missed_ids: [],
      });
    return { test, peer, theirs, entries, answer };
  }

  test('the blocks asked for are taken', async () => {
    const { test, entries, answer } = await askedForBlocks();
    expect(entries).toHaveLength(30);
    answer(entries);
    await until(() => test.node.synchronized);
    expect(test.chain.height).toBe(31);
  });

  type Entries = Awaited<ReturnType<typeof askedForBlocks>>['entries'];
  const BLOCKS: [string, (entries: Entries) => Entries][] = [
    ['no blocks', () => []],
    ['one block too few', (entries) => entries.slice(1)],
    ['blocks out of order', (entries) => [...entries].reverse()],
    [
      'other bytes',
      (entries) => [{ ...entries[0]!, block: new Uint8Array(80) }, ...entries.slice(1)],
    ],
    [
      'another block',
      (entries) => [
        { ...entries[0]!, block: makeBlock({ id: new Uint8Array(32), height: 0 }) },
        ...entries.slice(1),
      ],
    ],
    [
      'transactions that are not in it',
      (entries) => [
        { ...entries[0]!, txs: [{ blob: Uint8Array.of(1), prunable_hash: new Uint8Array(32) }] },
        ...entries.slice(1),
      ],
    ],
    [
      'pruned blocks',
      (entries) => entries.map((entry) => ({ ...entry, pruned: true, block_weight: 5 })),
    ],
    ['a weight', (entries) => entries.map((entry) => ({ ...entry, block_weight: 5 }))],
  ];

  test.each(BLOCKS)('an answer with %s drops it', async (_, change) => {
    const { test, peer, entries, answer } = await askedForBlocks();
    answer(change(entries));
    await peer.closed;
    await until(() => test.node.incomingCount === 0);
    expect(test.chain.height).toBe(1);
    expect(test.node.syncInfo().spans).toEqual([]);
  });

  test('a height that shrinks again and again costs points', async () => {
    const { test, peer, answer, entries } = await askedForBlocks();
    answer(entries, 30);
    await until(() => test.chain.height === 31);
    const payload_data = { ...ownSyncData(test.chain), current_height: 29 };
    peer.invoke(COMMANDS.timedSync, TIMED_SYNC_REQUEST, { payload_data });
    await peer.closed;
  });

  test.each([
    ['blocks', COMMANDS.responseObjects],
    ['a chain entry', COMMANDS.responseChain],
  ])('%s that nobody asked for close the link at their header', async (_, command) => {
    const test = await nodes.start();
    const peer = await friend(test);
    peer.write(encodeNotify(command, new Uint8Array(2_000_000)).subarray(0, 33));
    await peer.closed;
  });

  test('a silent peer does not stop others from bringing the chain', async () => {
    const { test, theirs } = await synchronizing();
    const helper = await nodes.start(
      { exclusiveNodes: [loopback(test.node.listenPort)] },
      { chain: theirs },
    );
    await until(() => test.chain.height === 31);
    expect(helper.node.outgoingCount).toBe(1);
  });
});

describe('serving', () => {
  test('requests before the handshake drop the peer', async () => {
    const test = await nodes.start();
    const requests: (() => Promise<void>)[] = [
      [
        COMMANDS.requestChain,
        encodeMessage(REQUEST_CHAIN, { block_ids: [test.chain.idAt(0)], prune: false }),
      ],
      [
        COMMANDS.requestObjects,
        encodeMessage(REQUEST_OBJECTS, { blocks: [test.chain.idAt(0)], prune: false }),
      ],
    ].map(([command, body]) => async () => {
      const peer = await rawPeer(test);
      peer.write(encodeNotify(command as number, body as Uint8Array));
      await peer.closed;
    });
    for (const request of requests) await request();
  });

  test('answers chain and block requests', async () => {
    const test = await nodes.start();
    test.chain.grow(5);
    const peer = await friend(test);
    peer.notify(COMMANDS.requestChain, REQUEST_CHAIN, {
      block_ids: [test.chain.idAt(3), test.chain.idAt(0)],
      prune: false,
    });
    const entry = decodeMessage(RESPONSE_CHAIN, (await peer.next(COMMANDS.responseChain)).body);
    expect(entry).toMatchObject({ start_height: 3, total_height: 6 });
    expect(entry.m_block_ids).toEqual([3, 4, 5].map((height) => test.chain.idAt(height)));
    peer.notify(COMMANDS.requestObjects, REQUEST_OBJECTS, {
      blocks: [test.chain.idAt(2), new Uint8Array(32)],
      prune: false,
    });
    const answer = decodeMessage(
      RESPONSE_OBJECTS,
      (await peer.next(COMMANDS.responseObjects)).body,
    );
    expect(answer.blocks.map((entry) => entry.block)).toEqual([test.chain.store.blockBlob(2)]);
    expect(answer.missed_ids).toHaveLength(1);
  });

  test('a chain request of another network is not answered, and not punished', async () => {
    const test = await nodes.start();
    const peer = await friend(test);
    const block_ids = [new Uint8Array(32)];
    peer.notify(COMMANDS.requestChain, REQUEST_CHAIN, { block_ids, prune: false });
    peer.invoke(COMMANDS.ping, EMPTY_REQUEST, {});
    await peer.next(COMMANDS.ping);
    expect(test.node.incomingCount).toBe(1);
  });

  test('101 blocks at once are too many', async () => {
    const test = await nodes.start();
    const peer = await friend(test);
    const blocks = new Array<Uint8Array>(101).fill(test.chain.idAt(0));
    peer.notify(COMMANDS.requestObjects, REQUEST_OBJECTS, { blocks, prune: false });
    await peer.closed;
  });
});

describe('new blocks', () => {
  test.each([COMMANDS.newFluffyBlock, COMMANDS.newBlock])(
    'takes a block from command %i and hands it on',
    async (command) => {
      const test = await nodes.start();
      const [peer, other] = [await friend(test), await friend(test)];
      const blob = makeBlock({ id: test.chain.idAt(0), height: 0 });
      peer.notify(command, NEW_BLOCK, block(blob, 2));
      await until(() => test.chain.height === 2);
      const relayed = decodeMessage(NEW_BLOCK, (await other.next(COMMANDS.newFluffyBlock)).body);
      expect(relayed).toEqual(block(blob, 2));
      expect(
        test.node
          .connections()
          .map(({ height }) => height)
          .sort(),
      ).toEqual([1, 2]);
    },
  );

  test('asks for transactions it lacks, and is satisfied with the answer', async () => {
    const test = await nodes.start();
    const peer = await friend(test);
    const txHashes = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(2)];
    const blob = makeBlock({ id: test.chain.idAt(0), height: 0 }, { txHashes });
    peer.notify(COMMANDS.newFluffyBlock, NEW_BLOCK, block(blob, 2));
    const { body } = await peer.next(COMMANDS.requestFluffyMissing);
    expect(decodeMessage(REQUEST_FLUFFY_MISSING, body)).toMatchObject({
      current_blockchain_height: 2,
      missing_tx_indices: [0n, 1n],
    });
  });

  test('takes transactions it lacks from the pool', async () => {
    const known = new Uint8Array(32).fill(1);
    const txRelay: TxRelay = {
      transactionBlob: (id) => (id[0] === 1 ? Uint8Array.of(1) : undefined),
      publicIds: () => [known],
      complement: () => [Uint8Array.of(7)],
      receive: () => Promise.resolve(true),
    };
    const test = await nodes.start({}, { txRelay });
    const peer = await friend(test);
    const asked = decodeMessage(
      TXPOOL_COMPLEMENT,
      (await peer.next(COMMANDS.txpoolComplement)).body,
    );
    expect(asked.hashes).toEqual([known]);
    const blob = makeBlock({ id: test.chain.idAt(0), height: 0 }, { txHashes: [known] });
    peer.notify(COMMANDS.newFluffyBlock, NEW_BLOCK, block(blob, 2));
    await until(() => test.chain.height === 2);
    peer.notify(COMMANDS.txpoolComplement, TXPOOL_COMPLEMENT, { hashes: [] });
    const answer = await peer.next(COMMANDS.newTransactions);
    expect(decodeMessage(NEW_TRANSACTIONS, answer.body)).toEqual({
      _: '',
      dandelionpp_fluff: false,
      txs: [Uint8Array.of(7)],
    });
  });

  test('an unknown parent makes it ask for the chain', async () => {
    const test = await nodes.start();
    const peer = await friend(test);
    const orphan = makeBlock({ id: new Uint8Array(32).fill(3), height: 7 });
    peer.notify(COMMANDS.newFluffyBlock, NEW_BLOCK, block(orphan, 9));
    await peer.next(COMMANDS.requestChain);
  });

  test('a block without proof of work costs ten points: one more and the host is banned', async () => {
    const test = await nodes.start();
    for (const expected of ['free', 'banned']) {
      const peer = await friend(test);
      const nonce = BAD_POW_NONCE;
      const blob = makeBlock({ id: test.chain.idAt(0), height: 0 }, { nonce });
      peer.notify(COMMANDS.newFluffyBlock, NEW_BLOCK, block(blob, 2));
      await peer.closed;
      expect(scoreOf(test)).toBe(expected);
    }
  });

  const genesis = new FakeChain().idAt(0);
  const good = makeBlock({ id: genesis, height: 0 });
  const twice = [new Uint8Array(32).fill(1), new Uint8Array(32).fill(1)];
  const stowaway = { blob: Uint8Array.of(1, 2), prunable_hash: new Uint8Array(32) };
  const OFFENCES: [string, NewBlock][] = [
    ['bytes that are no block', block(new Uint8Array(50), 2)],
    ['more bytes than a block may have', block(new Uint8Array(600_101), 2)],
    [
      'a transaction listed twice',
      block(makeBlock({ id: genesis, height: 0 }, { txHashes: twice }), 2),
    ],
    [
      'a transaction it does not list',
      { ...block(good, 2), b: { block: good, block_weight: 0, pruned: false, txs: [stowaway] } },
    ],
  ];
  test.each(OFFENCES)('a new block with %s drops the peer', async (_, message) => {
    const test = await nodes.start();
    const peer = await friend(test);
    peer.notify(COMMANDS.newFluffyBlock, NEW_BLOCK, message);
    await peer.closed;
    expect([scoreOf(test), test.chain.height]).toEqual(['free', 1]);
  });

  test('is not listened to while synchronizing', async () => {
    const test = await nodes.start();
    const peer = await friend(test, ALIEN);
    await peer.next(COMMANDS.requestChain);
    peer.notify(COMMANDS.newFluffyBlock, NEW_BLOCK, block(good, 2));
    peer.invoke(COMMANDS.ping, EMPTY_REQUEST, {});
    await peer.next(COMMANDS.ping);
    expect(test.chain.height).toBe(1);
  });
});

describe('transactions', () => {
  test('are ignored without a pool, and a pool enquiry is answered with none', async () => {
    const test = await nodes.start();
    const peer = await friend(test);
    peer.notify(COMMANDS.newTransactions, NEW_TRANSACTIONS, {
      _: '   ',
      dandelionpp_fluff: true,
      txs: [Uint8Array.of(1)],
    });
    peer.notify(COMMANDS.txpoolComplement, TXPOOL_COMPLEMENT, { hashes: [new Uint8Array(32)] });
    const answer = await peer.next(COMMANDS.newTransactions);
    expect(decodeMessage(NEW_TRANSACTIONS, answer.body).txs).toEqual([]);
  });

  test('twice the same in one message drop the peer, and so do bad ones', async () => {
    const received: unknown[] = [];
    const txRelay: TxRelay = {
      transactionBlob: () => undefined,
      publicIds: () => [],
      complement: () => [],
      receive: (message) => {
        received.push(message);
        return Promise.resolve(message.txs[0]?.[0] !== 66);
      },
    };
    const test = await nodes.start({}, { txRelay });
    const send = async (...txs: number[]): Promise<RawPeer> => {
      const peer = await friend(test);
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
  test('whatever arrives, the node lives on', async () => {
    const test = await nodes.start();
    let seed = 1;
    const random = (n: number): number =>
      Math.floor(((seed = (seed * 48271) % 2147483647) / 2147483647) * n);
    const commands = Object.values(COMMANDS);
    for (let round = 0; round < 60; round++) {
      const peer = await rawPeer(test);
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
    const peer = await friend(test);
    peer.invoke(COMMANDS.ping, EMPTY_REQUEST, {});
    expect((await peer.next(COMMANDS.ping)).returnCode).toBe(1);
  });

  test('mutated messages of a peer in good standing', async () => {
    const test = await nodes.start();
    test.chain.grow(3);
    const good = encodeNotify(
      COMMANDS.requestChain,
      encodeMessage(REQUEST_CHAIN, { block_ids: [test.chain.idAt(0)], prune: false }),
    );
    for (let at = 0; at < good.length; at += 3) {
      const peer = await friend(test);
      const bytes = good.slice();
      bytes[at]! ^= 0xff;
      peer.write(bytes);
      peer.socket.end();
      await peer.closed;
    }
    await until(() => test.node.incomingCount === 0);
    await friend(test);
  });
});
