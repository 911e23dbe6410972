import { jest } from '@jest/globals';
import { until } from '@monero-node/base/testing';
import { decodeMessage } from '@monero-node/codec';
import { NETWORKS } from '@monero-node/consensus';
import {
  EMPTY_REQUEST,
  HANDSHAKE_REQUEST,
  HANDSHAKE_RESPONSE,
  PING_RESPONSE,
  TIMED_SYNC_REQUEST,
  TIMED_SYNC_RESPONSE,
} from '../messages/admin.ts';
import type { NodeData, SyncData } from '../messages/admin.ts';
import { COMMANDS } from '../messages/commands.ts';
import type { PeerListEntry } from '../messages/peer-entries.ts';
import { parsePeerAddress } from '../net/parse-address.ts';
import type { NetAddress } from '../net/address.ts';
import { ownSyncData } from '../serve/chain.ts';
import { Arena } from '../testing/arena.ts';
import { RawListener } from '../testing/raw-peer.ts';
import type { RawPeer } from '../testing/raw-peer.ts';

jest.setTimeout(60_000);

let arena: Arena;
afterEach(() => arena.close());

const ALIEN = new Uint8Array(32).fill(5);

describe('incoming peers', () => {
  const LIES: [string, number, Partial<SyncData>, Partial<NodeData>][] = [
    ['another network', 1, {}, { network_id: new Uint8Array(16) }],
    ['a fork version that does not match the height', 0, { top_version: 15, top_id: ALIEN }, {}],
    ['a pruning seed below the first', 0, { pruning_seed: 383 }, {}],
    ['a pruning seed of another stripe size', 0, { pruning_seed: 256 }, {}],
    ['a pruning seed above the last', 0, { pruning_seed: 0xffffffff }, {}],
  ];
  test.each(LIES)('dropped: %s (%d points)', async (_, points, sync, node) => {
    arena = await Arena.open();
    const attacker = await arena.attacker();
    const claim = { ...ownSyncData(arena.test.chain), ...sync };
    await expect(attacker.introduce(claim, node)).rejects.toThrow('closed');
    expect(arena.points).toBe(points);
    await arena.stillServes();
  });

  test('dropped: ourselves (0 points)', async () => {
    arena = await Arena.open();
    const probe = await arena.attacker();
    probe.invoke(COMMANDS.ping, EMPTY_REQUEST, {});
    const { peer_id } = decodeMessage(PING_RESPONSE, (await probe.next(COMMANDS.ping)).body);
    const attacker = await arena.attacker();
    await expect(attacker.introduce(ownSyncData(arena.test.chain), { peer_id })).rejects.toThrow(
      'closed',
    );
    expect(arena.points).toBe(0);
    await arena.stillServes();
  });

  test('dropped: a repeated handshake (0 points)', async () => {
    arena = await Arena.open();
    const attacker = await arena.introduced();
    await expect(attacker.introduce(ownSyncData(arena.test.chain))).rejects.toThrow('closed');
    expect(arena.points).toBe(0);
    await arena.stillServes();
  });

  test('dropped: a handshake with peer id 0, twice (0 points)', async () => {
    arena = await Arena.open();
    const attacker = await arena.introduced({}, { peer_id: 0n });
    await expect(attacker.introduce(ownSyncData(arena.test.chain))).rejects.toThrow('closed');
    await arena.stillServes();
  });

  test('banned: eleven wrong networks from one host, which is then refused', async () => {
    arena = await Arena.open();
    const host = '127.0.77.7';
    for (let i = 0; i < 11; i++) {
      const attacker = await arena.attacker(host);
      const claim = ownSyncData(arena.test.chain);
      await expect(attacker.introduce(claim, { network_id: new Uint8Array(16) })).rejects.toThrow(
        'closed',
      );
    }
    expect(arena.banned).toEqual([host]);
    await (
      await arena.attacker(host)
    ).closed;
    await arena.stillServes();
  });

  test('refused: more connections from a host than allowed', async () => {
    arena = await Arena.open({ maxConnectionsPerIp: 2 });
    const host = '127.0.77.8';
    const allowed = [await arena.attacker(host), await arena.attacker(host)];
    await (
      await arena.attacker(host)
    ).closed;
    expect(arena.test.node.incomingCount).toBe(1 + allowed.length);
    await arena.stillServes();
  });

  test('refused: more peers than --in-peers', async () => {
    arena = await Arena.open({ inPeers: 3 });
    const allowed = [await arena.introduced(), await arena.introduced()];
    for (let i = 0; i < 20; i++) await (await arena.attacker()).closed;
    expect(arena.test.node.incomingCount).toBe(1 + allowed.length);
    await arena.stillServes();
  });

  test('the oldest silent connection goes when a new peer comes and --in-peers are there', async () => {
    arena = await Arena.open({ inPeers: 4 });
    const friend = await arena.introduced();
    const silent = [await arena.attacker(), await arena.attacker()];
    const newcomer = await arena.introduced();
    await silent[0]?.closed;
    await arena.introduced();
    await silent[1]?.closed;
    expect([friend, newcomer].map(({ socket }) => socket.destroyed)).toEqual([false, false]);
    expect(arena.points).toBe(0);
    await arena.stillServes();
  });

  test('stays: an announced port that belongs to another service of this machine', async () => {
    const service = await RawListener.open();
    arena = await Arena.open({}, { listeners: [service] });
    await arena.introduced({}, { my_port: service.port });
    await arena.introduced({}, { my_port: 70_000 });
    await arena.stillServes();
    expect(arena.test.node.whiteCount).toBe(0);
  });

  test('five hundred short connections', async () => {
    arena = await Arena.open();
    for (let i = 0; i < 500; i++) {
      const attacker = await arena.attacker('127.0.77.9');
      attacker.socket.destroy();
    }
    await until(() => arena.test.node.incomingCount === 1);
    await arena.stillServes();
  });

  test('dropped: a chain that shrinks with every timed sync (5 points)', async () => {
    arena = await Arena.open();
    const attacker = await arena.introduced();
    const claim = ownSyncData(arena.test.chain);
    for (let i = 1; i <= 2; i++) {
      const payload_data = { ...claim, current_height: claim.current_height - i };
      attacker.invoke(COMMANDS.timedSync, TIMED_SYNC_REQUEST, { payload_data });
      if (i === 1) await attacker.next(COMMANDS.timedSync);
    }
    await attacker.closed;
    expect(arena.points).toBe(5);
    await arena.stillServes();
  });

  test('dropped: a timed sync with an impossible version (0 points)', async () => {
    arena = await Arena.open();
    const attacker = await arena.introduced();
    const payload_data = { ...ownSyncData(arena.test.chain), top_version: 3 };
    attacker.invoke(COMMANDS.timedSync, TIMED_SYNC_REQUEST, { payload_data });
    await attacker.closed;
    expect(arena.points).toBe(0);
    await arena.stillServes();
  });

  test('stays: a timed sync before the handshake is answered, and its data ignored', async () => {
    arena = await Arena.open();
    const attacker = await arena.attacker();
    const payload_data = { ...ownSyncData(arena.test.chain), current_height: 1e6, top_id: ALIEN };
    attacker.invoke(COMMANDS.timedSync, TIMED_SYNC_REQUEST, { payload_data });
    await attacker.next(COMMANDS.timedSync);
    expect(arena.test.node.targetHeight).toBe(0);
    await arena.stillServes();
  });
});

describe('outgoing peers', () => {
  const HOST = '127.0.88.1';

  async function dialled(): Promise<RawPeer> {
    const listener = await RawListener.open(HOST);
    const options = { exclusiveNodes: [`${HOST}:${listener.port}`] };
    arena = await Arena.open(options, { listeners: [listener] });
    return arena.accepted();
  }

  function entry(adr: NetAddress): PeerListEntry {
    return {
      adr,
      id: 5n,
      last_seen: 1n,
      pruning_seed: 0,
      rpc_credits_per_hash: 0,
      rpc_port: 0,
    };
  }
  const ipv4 = (i: number, port = 18080): NetAddress => ({
    kind: 'ipv4',
    port,
    host: `9.${i >> 8}.${i & 255}.1`,
  });

  async function answer(peer: RawPeer, list: PeerListEntry[]): Promise<void> {
    const { body } = await peer.next(COMMANDS.handshake);
    peer.respond(COMMANDS.handshake, HANDSHAKE_RESPONSE, {
      ...decodeMessage(HANDSHAKE_REQUEST, body),
      node_data: { ...decodeMessage(HANDSHAKE_REQUEST, body).node_data, peer_id: 4n },
      local_peerlist_new: list,
    });
  }

  const onion = parsePeerAddress(NETWORKS.mainnet.torSeedNodes[0] ?? '', 1) as NetAddress;
  const LISTS: [string, PeerListEntry[]][] = [
    ['251 peers', Array.from({ length: 251 }, (_, i) => entry(ipv4(i)))],
    ['peers of another kind of network', [entry(ipv4(1)), entry(onion)]],
  ];
  test.each(LISTS)('dropped: a list of %s (1 point)', async (_, list) => {
    const attacker = await dialled();
    await answer(attacker, list);
    await attacker.closed;
    expect([arena.points, arena.test.node.grayCount]).toEqual([1, 0]);
    await arena.stillServes();
  });

  test('closed: a list too long for a handshake', async () => {
    const attacker = await dialled();
    await answer(
      attacker,
      Array.from({ length: 4_000 }, () => entry(ipv4(1))),
    );
    await attacker.closed;
    expect(arena.test.node.grayCount).toBe(0);
    await arena.stillServes();
  });

  test('stays: invalid entries of a list are skipped: private addresses, port 0, broken seeds, mapped IPv4', async () => {
    const attacker = await dialled();
    await answer(attacker, [
      entry({ kind: 'ipv4', host: '10.0.0.1', port: 1 }),
      entry({ kind: 'ipv4', host: '172.16.9.9', port: 1 }),
      entry({ kind: 'ipv4', host: '192.168.0.1', port: 1 }),
      entry({ kind: 'ipv4', host: '127.0.0.1', port: 1 }),
      entry({ kind: 'ipv4', host: '0.0.0.0', port: 1 }),
      entry({ kind: 'ipv6', host: 'fe80::1', port: 1 }),
      entry({ kind: 'ipv6', host: '::1', port: 1 }),
      entry({ kind: 'ipv6', host: '::ffff:909:901', port: 1 }),
      entry(ipv4(1, 0)),
      { ...entry(ipv4(2)), rpc_port: 18080 },
      { ...entry(ipv4(3)), pruning_seed: 77 },
      entry(ipv4(4)),
    ]);
    await until(() => arena.test.node.grayCount === 1);
    expect(arena.test.node.peerLists().gray[0]?.host).toBe('9.0.4.1');
    await arena.stillServes();
  });

  test('dropped: a handshake on an outgoing connection (1 point)', async () => {
    const attacker = await dialled();
    await answer(attacker, []);
    await expect(attacker.introduce(ownSyncData(arena.test.chain))).rejects.toThrow('closed');
    expect(arena.points).toBe(1);
    await arena.stillServes();
  });

  test('dropped: a node of another network (0 points)', async () => {
    const attacker = await dialled();
    await attacker.answerHandshake(ownSyncData(arena.test.chain), {
      network_id: new Uint8Array(16),
    });
    await attacker.closed;
    expect(arena.points).toBe(0);
    await arena.stillServes();
  });

  test('closed: an answer to something other than our handshake', async () => {
    const attacker = await dialled();
    await attacker.next(COMMANDS.handshake);
    attacker.respond(COMMANDS.timedSync, TIMED_SYNC_RESPONSE, {
      local_peerlist_new: [],
      payload_data: ownSyncData(arena.test.chain),
    });
    await attacker.closed;
    await arena.stillServes();
  });
});
