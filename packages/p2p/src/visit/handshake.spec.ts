import { until } from '@monero-node/base/testing';
import { NETWORKS } from '@monero-node/consensus';
import { encodeMessage } from '@monero-node/codec';
import { encodeNotify, encodeResponse, LEVIN_OK } from '../levin/frame.ts';
import { HANDSHAKE_RESPONSE } from '../messages/admin.ts';
import { COMMANDS } from '../messages/commands.ts';
import { answering, introduction, listenAt, sending } from '../testing/made-up-node.ts';
import { MemoryNetwork } from '../testing/memory-network.ts';
import { loopback, TestNodes } from '../testing/test-node.ts';
import type { NetAddress } from '../net/address.ts';
import { handshake } from './handshake.ts';

const { regtest, testnet } = NETWORKS;
const AT: NetAddress = { kind: 'ipv4', host: '9.1.1.1', port: 18080 };
const PEER: NetAddress = { kind: 'ipv4', host: '9.2.2.2', port: 18080 };
const LOCAL: NetAddress = { kind: 'ipv4', host: '10.0.0.7', port: 18080 };

/** A network in memory with one node, and options to reach it. */
async function withNode(onStream: Parameters<typeof listenAt>[2]) {
  const network = new MemoryNetwork();
  await listenAt(network, AT, onStream);
  return { network, options: { transport: network.machine('9.9.9.9'), timeoutMs: 300 } };
}

test('returns what a real node says of itself, over TCP', async () => {
  const nodes = new TestNodes();
  try {
    const { node, chain } = await nodes.start();
    const said = await handshake(loopback(node.listenPort), regtest);
    expect(said).toMatchObject({
      address: loopback(node.listenPort),
      height: 1,
      topId: chain.top.id,
      topVersion: 1,
      pruningSeed: 0,
      port: node.listenPort,
      peers: [],
    });
    expect(said.peerId > 1n).toBe(true);
    await until(() => node.connections().length === 0);
  } finally {
    await nodes.stop();
  }
});

test('joins the halves of the difficulty and leaves out private addresses', async () => {
  const { options } = await withNode(answering(introduction([PEER, LOCAL])));
  expect(await handshake('9.1.1.1:18080', regtest, options)).toEqual({
    address: '9.1.1.1:18080',
    peerId: 77n,
    height: 9,
    topId: new Uint8Array(32).fill(3),
    topVersion: 16,
    cumulativeDifficulty: (1n << 64n) + 5n,
    pruningSeed: 0,
    port: 18080,
    rpcPort: 18089,
    peers: [expect.objectContaining({ address: PEER })],
  });
});

test('keeps private and loopback addresses when they are allowed, and no address without a node', async () => {
  const ip = (host: string): NetAddress => ({ kind: 'ipv4', host, port: 18080 });
  const named = ['10.0.0.7', '127.0.0.1', '192.168.1.1', '100.64.0.1', '224.0.0.1', '0.0.0.1'].map(
    ip,
  );
  const { options } = await withNode(answering(introduction(named)));
  const { peers } = await handshake('9.1.1.1', regtest, { ...options, allowPrivate: true });
  expect(peers.map(({ address }) => address.host)).toEqual(
    named.slice(0, 4).map(({ host }) => host),
  );
  expect((await handshake('9.1.1.1', regtest, options)).peers).toEqual([]);
});

test('takes the port of the network, and looks names up', async () => {
  const { options } = await withNode(answering(introduction([])));
  await expect(handshake('9.1.1.1', regtest, options)).resolves.toMatchObject({ height: 9 });
  const resolver = async (host: string) => (host === 'node.example' ? ['9.1.1.1'] : []);
  const named = handshake('node.example', regtest, { ...options, resolver });
  await expect(named).resolves.toMatchObject({ address: '9.1.1.1:18080' });
  // Another transport may be a proxy, which a query would bypass.
  await expect(handshake('node.example', regtest, options)).rejects.toMatchObject({
    name: 'HandshakeError',
    code: 'unreachable',
    address: 'node.example',
  });
});

test('waits for the answer while the node sends other messages, but not for ever', async () => {
  const talk = Array.from({ length: 17 }, () =>
    encodeNotify(COMMANDS.txpoolComplement, new Uint8Array(100)),
  );
  const body = encodeMessage(HANDSHAKE_RESPONSE, introduction([]));
  const answer = encodeResponse(COMMANDS.handshake, LEVIN_OK, body);
  const visit = async (...chunks: Uint8Array[]) => {
    const { options } = await withNode(sending(...chunks));
    return handshake('9.1.1.1:18080', regtest, options);
  };
  await expect(visit(...talk.slice(1), answer)).resolves.toMatchObject({ height: 9 });
  await expect(visit(...talk, answer)).rejects.toMatchObject({
    code: 'no-answer',
    message: '9.1.1.1:18080: it talks and does not answer',
  });
});

const many = Array.from({ length: 251 }, (_, i) => ({ ...PEER, host: `9.3.${i >> 7}.${i & 127}` }));
const onion: NetAddress = { kind: 'tor', host: `${'a'.repeat(16)}.onion`, port: 18083 };

test.each([
  ['other-network', answering(introduction([], testnet.networkId))],
  ['bad-answer', answering(Uint8Array.of(1, 2, 3))],
  ['bad-answer', answering(introduction(many))],
  ['bad-answer', answering(introduction([onion]))],
  ['no-answer', sending(new Uint8Array(33).fill(7))],
  ['no-answer', sending(encodeNotify(COMMANDS.newBlock, new Uint8Array(100)))],
  ['no-answer', sending()],
])('refuses with %s (case %#)', async (code, onStream) => {
  const { options } = await withNode(onStream);
  const visit = handshake('9.1.1.1:18080', regtest, options);
  await expect(visit).rejects.toMatchObject({ name: 'HandshakeError', code });
});

test('does not wait longer than it was told, whatever trickles in', async () => {
  const body = encodeMessage(HANDSHAKE_RESPONSE, introduction([]));
  const answer = encodeResponse(COMMANDS.handshake, LEVIN_OK, body);
  let timer: NodeJS.Timeout | undefined;
  const { options } = await withNode((stream) => {
    stream.open({ onData: () => undefined, onDrain: () => undefined, onClose: () => undefined });
    let at = 0;
    timer = setInterval(() => stream.write(answer.subarray(at, ++at)), 20);
  });
  // A patience that every byte renewed would last longer than this test may.
  await expect(handshake('9.1.1.1', regtest, options)).rejects.toMatchObject({ code: 'no-answer' });
  clearInterval(timer);
});

test('reports a node that cannot be reached, and a malformed address', async () => {
  const { options } = await withNode(sending());
  await expect(handshake('9.1.1.2', regtest, options)).rejects.toMatchObject({
    code: 'unreachable',
    message: '9.1.1.2: ECONNREFUSED',
  });
  await expect(handshake('a b:1', regtest, options)).rejects.toThrow(RangeError);
});

test('ends with the reason of its signal', async () => {
  const { options } = await withNode(sending());
  const stop = new AbortController();
  const reason = new Error('enough');
  setTimeout(() => stop.abort(reason), 20);
  const visit = handshake('9.1.1.1', regtest, { ...options, signal: stop.signal });
  await expect(visit).rejects.toBe(reason);
  const late = handshake('9.1.1.1', regtest, { ...options, signal: stop.signal });
  await expect(late).rejects.toBe(reason);
});
