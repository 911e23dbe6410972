import { jest } from '@jest/globals';
import { until } from '@monero-node/base/testing';
import { decodeMessage, encodeMessage } from '@monero-node/codec';
import { encodeNotify, encodeResponse } from './levin/frame.ts';
import {
  EMPTY_REQUEST,
  HANDSHAKE_REQUEST,
  HANDSHAKE_RESPONSE,
  PING_RESPONSE,
  SUPPORT_FLAGS_RESPONSE,
  TIMED_SYNC_REQUEST,
  TIMED_SYNC_RESPONSE,
} from './messages/admin.ts';
import { REQUEST_OBJECTS, RESPONSE_OBJECTS } from './messages/blocks.ts';
import { REQUEST_CHAIN, RESPONSE_CHAIN } from './messages/chain.ts';
import { COMMANDS } from './messages/commands.ts';
import { ownSyncData } from './serve/chain.ts';
import type { RawPeer } from './testing/raw-peer.ts';
import { RawTalk, isBanned } from './testing/raw-talk.ts';
import { recordedFrame } from './testing/recorded/frames.ts';
import { loopback } from './testing/test-node.ts';
import type { TestNode } from './testing/test-node.ts';

jest.setTimeout(30_000);

const talk = new RawTalk();
afterEach(() => talk.stop());

describe('handshakes of incoming peers', () => {
  test('answers a handshake, ping, support flags and timed sync', async () => {
    const test = await talk.nodes.start({ rpcPort: 18089 });
    test.chain.grow(3);
    const peer = await talk.connect(test);
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
    const test = await talk.nodes.start();
    const peer = await talk.connect(test);
    await peer.introduce(ownSyncData(test.chain), { support_flags: 0 });
    expect((await peer.next(COMMANDS.supportFlags)).kind).toBe('invoke');
    peer.respond(COMMANDS.supportFlags, SUPPORT_FLAGS_RESPONSE, { support_flags: 5 });
    await until(() => test.node.connections()[0]?.supportFlags === 5);
  });

  test('announces no port or another port if configured', async () => {
    const hidden = await talk.nodes.start({ hideMyPort: true, externalPort: 99 });
    const moved = await talk.nodes.start({ externalPort: 99 });
    const ports = [];
    for (const test of [hidden, moved]) {
      const peer = await talk.connect(test);
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
    const test = await talk.nodes.start();
    const peer = await talk.connect(test);
    void peer.introduce({ ...ownSyncData(test.chain), ...sync }, node).catch(() => {});
    await peer.closed;
    expect(isBanned(test)).toBe(false);
  });

  test('drops a peer with our own id', async () => {
    const test = await talk.nodes.start();
    const probe = await talk.connect(test);
    probe.invoke(COMMANDS.ping, EMPTY_REQUEST, {});
    const { peer_id } = decodeMessage(PING_RESPONSE, (await probe.next(COMMANDS.ping)).body);
    void probe.introduce(ownSyncData(test.chain), { peer_id }).catch(() => {});
    await probe.closed;
  });

  test('drops a peer that sends two handshakes', async () => {
    const test = await talk.nodes.start();
    const peer = await talk.friend(test);
    void peer.introduce(ownSyncData(test.chain)).catch(() => {});
    await peer.closed;
  });

  test('bans a host after eleven handshakes of another network', async () => {
    const test = await talk.nodes.start();
    for (let i = 0; i < 11; i++) {
      expect(isBanned(test)).toBe(false);
      const peer = await talk.connect(test);
      const network_id = new Uint8Array(16);
      void peer.introduce(ownSyncData(test.chain), { network_id }).catch(() => {});
      await peer.closed;
    }
    expect(isBanned(test)).toBe(true);
    const refused = await talk.connect(test);
    await refused.closed;
  });

  test('answers unknown invokes with -6 and ignores unknown notifications', async () => {
    const test = await talk.nodes.start();
    const peer = await talk.friend(test);
    peer.write(encodeNotify(2999, new Uint8Array(10)));
    peer.invoke(1005, EMPTY_REQUEST, {});
    expect((await peer.next(1005)).returnCode).toBe(-6);
  });

  test('adds only valid entries of received lists, as gray peers', async () => {
    const listener = await talk.listen();
    const test = await talk.nodes.start({ exclusiveNodes: [loopback(listener.port)] });
    const peer = await talk.accept(listener);
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

describe('handshakes with outgoing peers', () => {
  async function dialled(): Promise<{ test: TestNode; peer: RawPeer }> {
    const listener = await talk.listen();
    const test = await talk.nodes.start({ exclusiveNodes: [loopback(listener.port)] });
    return { test, peer: await talk.accept(listener) };
  }

  test('sends its identity and the state of its chain', async () => {
    const { test, peer } = await dialled();
    const { body, kind } = await peer.next(COMMANDS.handshake);
    expect(kind).toBe('invoke');
    const { node_data, payload_data } = decodeMessage(HANDSHAKE_REQUEST, body);
    expect(node_data).toMatchObject({
      my_port: test.node.listenPort,
      rpc_port: 0,
      support_flags: 1,
    });
    expect(node_data.network_id).toEqual(test.chain.network.networkId);
    expect(payload_data).toEqual(ownSyncData(test.chain));
  });

  test('answers requests that arrive before the answer to its handshake, as monerod sends them', async () => {
    const { test, peer } = await dialled();
    peer.write(recordedFrame('complementRequest').bytes);
    peer.invoke(COMMANDS.supportFlags, EMPTY_REQUEST, {});
    await peer.next(COMMANDS.supportFlags);
    await peer.answerHandshake(ownSyncData(test.chain));
    await until(() => test.node.synchronized);
  });

  test.each([
    ['of another network', { network_id: new Uint8Array(16) }, {}],
    ['with a version that cannot be', {}, { top_version: 9, current_height: 30 }],
  ])('leaves a node %s', async (_, node, sync) => {
    const { test, peer } = await dialled();
    await peer.answerHandshake({ ...ownSyncData(test.chain), ...sync }, node);
    await peer.closed;
    expect(test.node.synchronized).toBe(false);
  });

  test('drops a node that sends too many peers, and does not dial it again', async () => {
    const { test, peer } = await dialled();
    const { body } = await peer.next(COMMANDS.handshake);
    const entry = {
      adr: { kind: 'ipv4', host: '9.9.9.9', port: 1 } as const,
      id: 1n,
      last_seen: 0n,
      pruning_seed: 0,
      rpc_credits_per_hash: 0,
      rpc_port: 0,
    };
    peer.respond(COMMANDS.handshake, HANDSHAKE_RESPONSE, {
      ...decodeMessage(HANDSHAKE_REQUEST, body),
      local_peerlist_new: new Array<typeof entry>(251).fill(entry),
    });
    await peer.closed;
    expect(test.node.grayCount).toBe(0);
  });

  test('disconnects from a node that does not answer within five seconds', async () => {
    const { peer } = await dialled();
    const before = Date.now();
    await peer.closed;
    expect(Date.now() - before).toBeGreaterThan(4_500);
  });

  test('disconnects from a node whose answer does not decode', async () => {
    const { peer } = await dialled();
    await peer.next(COMMANDS.handshake);
    peer.write(encodeResponse(COMMANDS.handshake, 1, new Uint8Array(20)));
    await peer.closed;
  });
});

describe('requests for our chain', () => {
  test('drops a peer that sends requests before the handshake', async () => {
    const test = await talk.nodes.start();
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
      const peer = await talk.connect(test);
      peer.write(encodeNotify(command as number, body as Uint8Array));
      await peer.closed;
    });
    for (const request of requests) await request();
  });

  test('answers chain and block requests', async () => {
    const test = await talk.nodes.start();
    test.chain.grow(5);
    const peer = await talk.friend(test);
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

  test('neither answers nor punishes a chain request of another network', async () => {
    const test = await talk.nodes.start();
    const peer = await talk.friend(test);
    const block_ids = [new Uint8Array(32)];
    peer.notify(COMMANDS.requestChain, REQUEST_CHAIN, { block_ids, prune: false });
    peer.invoke(COMMANDS.ping, EMPTY_REQUEST, {});
    await peer.next(COMMANDS.ping);
    expect(test.node.incomingCount).toBe(1);
  });

  test('rejects a request for 101 blocks', async () => {
    const test = await talk.nodes.start();
    const peer = await talk.friend(test);
    const blocks = new Array<Uint8Array>(101).fill(test.chain.idAt(0));
    peer.notify(COMMANDS.requestObjects, REQUEST_OBJECTS, { blocks, prune: false });
    await peer.closed;
  });
});
