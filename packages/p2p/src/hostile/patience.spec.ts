import { jest } from '@jest/globals';
import { settle } from '@monero-node/base/testing';
import { decodeMessage, encodeMessage } from '@monero-node/codec';
import { encodeInvoke, encodeResponse } from '../levin/frame.ts';
import { EMPTY_REQUEST, HANDSHAKE_REQUEST, TIMED_SYNC_RESPONSE } from '../messages/admin.ts';
import { COMMANDS } from '../messages/commands.ts';
import { ipAddress } from '../net/parse-address.ts';
import type { NetAddress } from '../net/address.ts';
import { ownSyncData } from '../serve/chain.ts';
import { stopTime } from '../testing/fake-time.ts';
import { MemoryNetwork } from '../testing/memory-network.ts';
import { TestNodes } from '../testing/test-node.ts';
import type { TestNode } from '../testing/test-node.ts';
import type { TransportStream } from '../transport/transport.ts';

/**
 * Peers that take their time, from addresses that are not on this machine: those are given more
 * patience than is good for a test. Time is the test's.
 */
const nodes = new TestNodes();
let network: MemoryNetwork;
let test1: TestNode;

beforeEach(async () => {
  stopTime();
  network = new MemoryNetwork();
  test1 = await nodes.start({ bindPort: 18080 }, { transport: network.machine('9.0.0.1') });
});
afterEach(async () => {
  jest.useRealTimers();
  await nodes.stop();
});

interface Talker {
  stream: TransportStream;
  received: Uint8Array[];
  closed: () => boolean;
}

/** Turns of the event loop in which a node answers an attacker. */
const TURNS = 30;

let hosts = 0;
async function attacker(): Promise<Talker> {
  const machine = network.machine(`6.6.${++hosts}.6`);
  const to = ipAddress('9.0.0.1', 18080) as NetAddress;
  const stream = await machine.connect(to, { timeoutMs: 1000 });
  const received: Uint8Array[] = [];
  let closed = false;
  stream.open({
    onData: (chunk) => void received.push(chunk),
    onDrain: () => {},
    onClose: () => (closed = true),
  });
  await settle(TURNS);
  return { stream, received, closed: () => closed };
}

function handshake(): Uint8Array {
  const node_data = {
    my_port: 0,
    network_id: test1.chain.network.networkId,
    peer_id: 77n,
    rpc_credits_per_hash: 0,
    rpc_port: 0,
    support_flags: 1,
  };
  const request = { node_data, payload_data: ownSyncData(test1.chain) };
  return encodeInvoke(COMMANDS.handshake, encodeMessage(HANDSHAKE_REQUEST, request));
}

async function pass(seconds: number, each: () => void = () => {}): Promise<void> {
  for (let i = 0; i < seconds; i++) {
    await jest.advanceTimersByTimeAsync(1000);
    each();
    await settle(TURNS);
  }
}

/** A node of our own is the good peer. */
async function stillServes(): Promise<void> {
  const machine = network.machine('8.0.0.1');
  const good = await nodes.start(
    { bindPort: 18080, priorityNodes: ['9.0.0.1'] },
    { transport: machine },
  );
  await settle(TURNS);
  expect(good.node.synchronized).toBe(true);
}

test('closed: silence after connecting, after ten seconds', async () => {
  const { closed } = await attacker();
  await pass(9);
  expect(closed()).toBe(false);
  await pass(2);
  expect(closed()).toBe(true);
  await stillServes();
});

test('closed: a handshake that arrives byte by byte', async () => {
  const { closed, stream } = await attacker();
  const bytes = handshake();
  let at = 0;
  await pass(12, () => stream.write(bytes.subarray(at, ++at)));
  expect(at).toBeLessThan(bytes.length);
  expect(closed()).toBe(true);
  await stillServes();
});

test('closed: a hundred connections that trickle bytes', async () => {
  const many: Talker[] = [];
  for (let i = 0; i < 100; i++) many.push(await attacker());
  expect(test1.node.incomingCount).toBe(100);
  await pass(12, () => {
    for (const { stream } of many) stream.write(Uint8Array.of(1));
  });
  expect(many.every(({ closed }) => closed())).toBe(true);
  expect(test1.node.incomingCount).toBe(0);
  await stillServes();
});

test('closed: a peer that keeps sending and makes no handshake in a minute', async () => {
  const pinging = await attacker();
  const dripping = await attacker();
  const ping = encodeInvoke(COMMANDS.ping, encodeMessage(EMPTY_REQUEST, {}));
  // 60 kB at this pace would take two minutes.
  const long = encodeInvoke(COMMANDS.handshake, new Uint8Array(60_000));
  let at = 0;
  const each = (): void => {
    pinging.stream.write(ping);
    dripping.stream.write(long.subarray(at, (at += 500)));
  };
  // Both have shown that they are alive all the time.
  await pass(50, each);
  expect(pinging.closed()).toBe(false);
  expect(pinging.received.length).toBeGreaterThan(10);
  await pass(20, each);
  expect(pinging.closed()).toBe(true);
  expect(dripping.closed()).toBe(true);
  await stillServes();
});

test('closed: a peer that does not answer timed syncs', async () => {
  const { closed, received, stream } = await attacker();
  stream.write(handshake());
  await settle(TURNS);
  expect(received.length).toBeGreaterThan(0);
  await pass(150);
  expect(closed()).toBe(false);
  await pass(40); // asked after at most 60 s, given up after 120 more
  expect(closed()).toBe(true);
  await stillServes();
});

test('closed: an answer that arrives byte by byte', async () => {
  const { closed, stream } = await attacker();
  stream.write(handshake());
  await settle(TURNS);
  const answer = encodeMessage(TIMED_SYNC_RESPONSE, {
    local_peerlist_new: [],
    payload_data: ownSyncData(test1.chain),
  });
  const bytes = encodeResponse(COMMANDS.timedSync, 1, answer);
  expect(decodeMessage(TIMED_SYNC_RESPONSE, answer).local_peerlist_new).toEqual([]);
  await pass(61);
  let at = 0;
  await pass(125, () => stream.write(bytes.subarray(at, ++at)));
  expect(at).toBeLessThan(bytes.length);
  expect(closed()).toBe(true);
  await stillServes();
});
