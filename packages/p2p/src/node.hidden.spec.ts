import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { until } from '@monero-node/base/testing';
import { decodeMessage } from '@monero-node/codec';
import { NETWORKS } from '@monero-node/consensus';
import {
  HANDSHAKE_REQUEST,
  HANDSHAKE_RESPONSE,
  TIMED_SYNC_REQUEST,
  TIMED_SYNC_RESPONSE,
} from './messages/admin.ts';
import { REQUEST_CHAIN } from './messages/chain.ts';
import { COMMANDS } from './messages/commands.ts';
import { NEW_TRANSACTIONS } from './messages/transactions.ts';
import { parsePeerAddress } from './net/parse-address.ts';
import type { NetAddress } from './net/address.ts';
import { parseSocksEndpoint } from './net/socks-endpoint.ts';
import { anonymityZones } from './options/zone-options.ts';
import type { ReceivedTransactions, PeerRelayMethod, PoolForP2p } from './contract/pool-for-p2p.ts';
import { ownSyncData } from './serve/chain.ts';
import { RawPeer } from './testing/raw-peer.ts';
import { RawTalk } from './testing/raw-talk.ts';
import { SocksServer } from './testing/socks-server.ts';
import { loopback, noting } from './testing/test-node.ts';
import type { TestNode } from './testing/test-node.ts';
import { createTcpTransport } from './transport/tcp.ts';

jest.setTimeout(30_000);

/** Nodes that reach each other through a proxy; the test decides where a name leads. */
const talk = new RawTalk();
const routes = new Map<string, number>();
let proxy: SocksServer;

beforeEach(async () => {
  routes.clear();
  proxy = await SocksServer.open({
    route: ({ host }) => {
      const port = routes.get(host);
      return port === undefined ? undefined : { host: '127.0.0.1', port };
    },
  });
});
afterEach(async () => {
  await talk.stop();
  await proxy.close();
});

const ONIONS = NETWORKS.mainnet.torSeedNodes.map((seed) => seed.split(':')[0] ?? '');
const [OURS = '', THEIRS = '', THIRD = ''] = ONIONS;

class FakePool implements PoolForP2p {
  readonly received: ReceivedTransactions[] = [];
  readonly marked: PeerRelayMethod[] = [];
  transactionBlob = (): undefined => undefined;
  joinedPublicIds = (): Uint8Array => new Uint8Array();
  complement = (): Uint8Array[] => [];
  receive = (message: ReceivedTransactions): Promise<boolean> => {
    this.received.push(message);
    return Promise.resolve(true);
  };
  markRelayed = (_: readonly Uint8Array[], method: PeerRelayMethod): void => {
    this.marked.push(method);
  };
}

const LOCAL_TX = { id: new Uint8Array(32).fill(9), blob: new Uint8Array(50).fill(9) };

async function freePort(): Promise<number> {
  const listener = await createTcpTransport().listen({ host: '127.0.0.1', port: 0 }, () => {});
  await listener.close();
  return listener.port;
}

/** A node with a hidden service, without noise, that dials `THEIRS` over the proxy. */
async function hiddenNode(
  peers: readonly string[] = [],
  pool: PoolForP2p = new FakePool(),
  noise = false,
): Promise<{ test: TestNode; inboundPort: number }> {
  const inboundPort = await freePort();
  const zones = anonymityZones(
    [`tor,${proxy.address},4${noise ? '' : ',disable_noise'}`],
    [`${OURS}:18083,127.0.0.1:${inboundPort},4`],
  );
  const options = { anonymityZones: zones, priorityNodes: [...peers], rpcPort: 18089 };
  return { test: await talk.nodes.start(options, { pool }), inboundPort };
}

async function dialled(test: () => Promise<unknown>, host: string): Promise<RawPeer> {
  const listener = await talk.listen();
  routes.set(host, listener.port);
  await test();
  return talk.accept(listener);
}

const address = (host: string): NetAddress => parsePeerAddress(`${host}:18083`, 1) as NetAddress;
const entry = (host: string) => ({
  adr: address(host),
  id: 1n,
  last_seen: 5n,
  pruning_seed: 0,
  rpc_credits_per_hash: 0,
  rpc_port: 0,
});

describe('a proxy for the public network', () => {
  test('all connections use it, no port is announced, and no peer is pinged back', async () => {
    const listener = await talk.listen();
    const peerPort = listener.port;
    routes.set('8.8.4.4', peerPort);
    const endpoint = parseSocksEndpoint(`socks5://${proxy.address}`);
    if (!endpoint) throw new Error('no endpoint');
    const asked: string[] = [];
    const test = await talk.nodes.start(
      { proxy: endpoint, rpcPort: 18089, priorityNodes: ['8.8.4.4:77', 'node.example:1'] },
      { resolver: (host) => Promise.resolve([asked.push(host) ? '8.8.8.8' : '']) },
    );
    const peer = await talk.accept(listener);
    const { node_data } = decodeMessage(
      HANDSHAKE_REQUEST,
      (await peer.next(COMMANDS.handshake)).body,
    );
    expect(node_data).toMatchObject({ my_port: 0, rpc_port: 0, support_flags: 1 });
    expect(proxy.requests).toEqual([{ version: 5, host: '8.8.4.4', port: 77 }]);
    expect(asked).toEqual([]);
    const incoming = await talk.connect(test);
    await incoming.introduce(ownSyncData(test.chain), { my_port: peerPort });
    expect(test.node.incomingCount).toBe(1);
    expect(proxy.requests).toHaveLength(1);
  });

  test('names are looked up without it if allowed', async () => {
    const listener = await talk.listen();
    routes.set('8.8.8.8', listener.port);
    const endpoint = parseSocksEndpoint(proxy.address);
    if (!endpoint) throw new Error('no endpoint');
    await talk.nodes.start(
      { proxy: endpoint, proxyAllowDnsLeaks: true, priorityNodes: ['node.example:1'] },
      { resolver: () => Promise.resolve(['8.8.8.8']) },
    );
    await talk.accept(listener);
    expect(proxy.requests).toEqual([{ version: 4, host: '8.8.8.8', port: 1 }]);
  });
});

describe('an anonymity network', () => {
  test('sees the shared id and no port', async () => {
    let test: TestNode | undefined;
    const peer = await dialled(async () => {
      ({ test } = await hiddenNode([`${THEIRS}:18083`]));
    }, THEIRS);
    const request = await peer.next(COMMANDS.handshake);
    const { node_data } = decodeMessage(HANDSHAKE_REQUEST, request.body);
    expect(node_data).toMatchObject({ my_port: 0, rpc_port: 0, peer_id: 1n, support_flags: 0 });
    expect(proxy.requests).toEqual([{ version: 4, host: THEIRS, port: 18083 }]);
    peer.respond(COMMANDS.handshake, HANDSHAKE_RESPONSE, {
      local_peerlist_new: [entry(THIRD), entry(THEIRS)],
      node_data: { ...node_data, peer_id: 1n },
      payload_data: ownSyncData(test!.chain),
    });
    await until(() => test?.node.connections()[0]?.state === 'normal');
    // The public lists and numbers know nothing of it.
    expect([test?.node.whiteCount, test?.node.grayCount, test?.node.outgoingCount]).toEqual([
      0, 0, 0,
    ]);
    expect(test?.node.connections()[0]).toMatchObject({
      address: `${THEIRS}:18083`,
      addressType: 4,
      incoming: false,
      ip: '',
    });
  });

  test('an incoming peer has an unknown address and receives only peers of the network', async () => {
    const { test, inboundPort } = await hiddenNode();
    const peer = await RawPeer.connectTo(inboundPort);
    const answer = await peer.introduce(ownSyncData(test.chain), { peer_id: 1n, my_port: 5 });
    const { node_data, local_peerlist_new } = decodeMessage(HANDSHAKE_RESPONSE, answer.body);
    expect(node_data).toMatchObject({ my_port: 0, peer_id: 1n, support_flags: 0, rpc_port: 0 });
    expect(local_peerlist_new).toEqual([]);
    expect(test.node.connections()[0]).toMatchObject({
      address: '<unknown tor host>',
      incoming: true,
    });
    expect(test.node.incomingCount).toBe(0);
    // Whoever it is, it is neither counted by host nor banned.
    const second = await RawPeer.connectTo(inboundPort);
    await second.introduce(ownSyncData(test.chain), { peer_id: 1n });
    for (let i = 0; i < 12; i++) {
      const wrong = await RawPeer.connectTo(inboundPort);
      const network_id = new Uint8Array(16);
      void wrong.introduce(ownSyncData(test.chain), { network_id }).catch(() => {});
      await wrong.closed;
    }
    expect(test.node.bans()).toEqual([]);
    peer.socket.destroy();
    second.socket.destroy();
  });

  test('accepts no more incoming connections than allowed', async () => {
    const { test, inboundPort } = await hiddenNode();
    const peers: RawPeer[] = [];
    for (let i = 0; i < 4; i++) {
      const peer = await RawPeer.connectTo(inboundPort);
      await peer.introduce(ownSyncData(test.chain), { peer_id: 1n });
      peers.push(peer);
    }
    const fifth = await RawPeer.connectTo(inboundPort);
    await fifth.closed;
    for (const peer of peers) peer.socket.destroy();
  });

  test('sends our own address once, to peers we connected to', async () => {
    let test: TestNode | undefined;
    const peer = await dialled(async () => {
      ({ test } = await hiddenNode([`${THEIRS}:18083`]));
    }, THEIRS);
    await peer.answerHandshake(ownSyncData(test!.chain), { peer_id: 1n });
    const ask = async (): Promise<string[]> => {
      peer.invoke(COMMANDS.timedSync, TIMED_SYNC_REQUEST, {
        payload_data: ownSyncData(test!.chain),
      });
      const { body } = await peer.next(COMMANDS.timedSync);
      const list = decodeMessage(TIMED_SYNC_RESPONSE, body).local_peerlist_new;
      expect(list.every(({ last_seen }) => last_seen === 0n)).toBe(true);
      return list.map(({ adr }) => adr.host);
    };
    await until(() => test?.node.connections()[0]?.state === 'normal');
    expect((await ask()).sort()).toEqual([OURS, THEIRS].sort());
    expect(await ask()).toEqual([]);
  });

  test('closes a connection that sends addresses of another network', async () => {
    let test: TestNode | undefined;
    const peer = await dialled(async () => {
      ({ test } = await hiddenNode([`${THEIRS}:18083`]));
    }, THEIRS);
    const { body } = await peer.next(COMMANDS.handshake);
    const ipv4 = { ...entry(THIRD), adr: { kind: 'ipv4', host: '9.9.9.9', port: 1 } as const };
    peer.respond(COMMANDS.handshake, HANDSHAKE_RESPONSE, {
      ...decodeMessage(HANDSHAKE_REQUEST, body),
      local_peerlist_new: [entry(THIRD), ipv4],
    });
    await peer.closed;
    expect(test?.node.grayCount).toBe(0);
  });

  test('the ban of a hidden service closes its link, and it is not dialed again', async () => {
    let test: TestNode | undefined;
    const peer = await dialled(async () => {
      ({ test } = await hiddenNode([`${THEIRS}:18083`]));
    }, THEIRS);
    const { body } = await peer.next(COMMANDS.handshake);
    peer.respond(COMMANDS.handshake, HANDSHAKE_RESPONSE, {
      ...decodeMessage(HANDSHAKE_REQUEST, body),
      local_peerlist_new: [],
    });
    await until(() => test?.node.connections()[0]?.state === 'normal');
    expect(test?.node.ban(`${THEIRS.toUpperCase()}:18083`, 60)).toBe(true);
    await peer.closed;
    expect(test?.node.banned(THEIRS)).toBe(60);
    expect(test?.node.fixedPeers()).toMatchObject([
      { trouble: expect.stringMatching(/banned for/) },
    ]);
    expect(test?.node.connections()).toEqual([]);
  });

  test('exchanges no chains or blocks, and does not follow a higher chain', async () => {
    const { test, inboundPort } = await hiddenNode();
    const peer = await RawPeer.connectTo(inboundPort);
    const claim = { top_version: 16, current_height: 50, top_id: new Uint8Array(32).fill(5) };
    await peer.introduce({ ...ownSyncData(test.chain), ...claim }, { peer_id: 1n });
    expect(test.node.connections()[0]?.state).toBe('normal');
    peer.notify(COMMANDS.requestChain, REQUEST_CHAIN, {
      block_ids: [test.chain.idAt(0)],
      prune: false,
    });
    peer.invoke(COMMANDS.timedSync, TIMED_SYNC_REQUEST, { payload_data: ownSyncData(test.chain) });
    await peer.next(COMMANDS.timedSync);
    peer.invoke(COMMANDS.ping, TIMED_SYNC_REQUEST, { payload_data: ownSyncData(test.chain) });
    expect((await peer.next(COMMANDS.ping)).returnCode).toBe(-6);
    expect(test.node.targetHeight).toBe(0);
    peer.socket.destroy();
  });

  test('keeps the lists of all networks over a restart', async () => {
    let test: TestNode | undefined;
    const peer = await dialled(async () => {
      ({ test } = await hiddenNode([`${THEIRS}:18083`]));
    }, THEIRS);
    await peer.answerHandshake(ownSyncData(test!.chain), { peer_id: 1n });
    await until(() => test?.node.connections()[0]?.state === 'normal');
    await test!.node.stop();
    const path = join(test!.dataDir, 'p2p-peers.json');
    const whiteHosts = async (): Promise<string[]> =>
      (JSON.parse(await readFile(path, 'utf8')) as { white: { address: string }[] }).white.map(
        (known) => known.address,
      );
    expect(await whiteHosts()).toEqual([`${THEIRS}:18083`]);
    // A run without Tor keeps what it has no use for.
    const without = await talk.nodes.start({ dataDir: test!.dataDir });
    await without.node.stop();
    expect(await whiteHosts()).toEqual([`${THEIRS}:18083`]);
  });
});

describe('transactions of our clients', () => {
  test('are sent only over the anonymity network', async () => {
    const pool = new FakePool();
    let test: TestNode | undefined;
    const peer = await dialled(async () => {
      ({ test } = await hiddenNode([`${THEIRS}:18083`], pool));
    }, THEIRS);
    const publicPeer = await talk.friend(test!);
    test!.node.relayTransactions({ transactions: [LOCAL_TX], method: 'local' });
    expect(pool.marked).toEqual([]); // nobody there yet
    await peer.answerHandshake(ownSyncData(test!.chain), { peer_id: 1n });
    await until(() => test?.node.connections().every(({ state }) => state === 'normal') ?? false);
    test!.node.relayTransactions({ transactions: [LOCAL_TX], method: 'local' });
    const { body } = await peer.next(COMMANDS.newTransactions);
    expect(decodeMessage(NEW_TRANSACTIONS, body)).toMatchObject({
      dandelionpp_fluff: true,
      txs: [LOCAL_TX.blob],
    });
    expect(pool.marked).toEqual(['local']);
    publicPeer.invoke(COMMANDS.timedSync, TIMED_SYNC_REQUEST, {
      payload_data: ownSyncData(test!.chain),
    });
    await publicPeer.next(COMMANDS.timedSync);
    expect(publicPeer.take(COMMANDS.newTransactions)).toBeUndefined();
  });

  test('wait for the next frame of the noise stream', async () => {
    const pool = new FakePool();
    let test: TestNode | undefined;
    const peer = await dialled(async () => {
      ({ test } = await hiddenNode([`${THEIRS}:18083`], pool, true));
    }, THEIRS);
    await peer.answerHandshake(ownSyncData(test!.chain), { peer_id: 1n });
    await until(() => test?.node.connections()[0]?.state === 'normal');
    test!.node.relayTransactions({ transactions: [LOCAL_TX], method: 'local' });
    const { body } = await peer.next(COMMANDS.newTransactions);
    expect(body).toHaveLength(3072 - 33);
    expect(decodeMessage(NEW_TRANSACTIONS, body)).toMatchObject({
      dandelionpp_fluff: false,
      txs: [LOCAL_TX.blob],
    });
    expect(pool.marked).toEqual(['local']);
  });

  test('transactions received over the anonymity network are marked', async () => {
    const pool = new FakePool();
    const { test, inboundPort } = await hiddenNode([], pool);
    const publicPeer = await talk.friend(test);
    const peer = await RawPeer.connectTo(inboundPort);
    await peer.introduce(ownSyncData(test.chain), { peer_id: 1n });
    const message = { _: '', dandelionpp_fluff: false, txs: [LOCAL_TX.blob] };
    peer.notify(COMMANDS.newTransactions, NEW_TRANSACTIONS, message);
    publicPeer.notify(COMMANDS.newTransactions, NEW_TRANSACTIONS, message);
    await until(() => pool.received.length === 2);
    const hidden = pool.received.filter((each) => each.hidden);
    expect(hidden).toHaveLength(1);
    expect(hidden[0]).toMatchObject({ fluff: false, txs: [LOCAL_TX.blob] });
    peer.socket.destroy();
  });
});

test('does not connect to public peers over a hidden transport', async () => {
  const { logger, lines: failures } = noting('no connection to 127.0.0.1:9');
  const priorityNodes = [`${THEIRS}:18083`, loopback(9)];
  const test = await talk.nodes.start({ priorityNodes }, { logger });
  await until(() => failures.length > 0);
  expect(test.node.connections()).toEqual([]);
  expect(proxy.requests).toEqual([]);
});
