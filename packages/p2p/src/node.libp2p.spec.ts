import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { silentLogger, type Logger } from '@monero-node/base';
import { until } from '@monero-node/base/testing';
import { decodeMessage, encodeMessage } from '@monero-node/codec';
import { NETWORKS } from '@monero-node/consensus';
import { encodeInvoke, encodeNotify, encodeResponse } from './levin/frame.ts';
import { InboundGate } from './libp2p/inbound-gate.ts';
import { Libp2pTransport } from './libp2p/transport.ts';
import { HANDSHAKE_REQUEST, HANDSHAKE_RESPONSE } from './messages/admin.ts';
import type { NodeData } from './messages/admin.ts';
import { COMMANDS } from './messages/commands.ts';
import type { P2pOptions } from './options/options.ts';
import { ownSyncData } from './serve/chain.ts';
import { FakeChain } from './testing/fake-chain.ts';
import { RawTalk } from './testing/raw-talk.ts';
import { noting } from './testing/test-node.ts';
import type { TestNode } from './testing/test-node.ts';
import type { TransportStream } from './transport/transport.ts';

jest.setTimeout(30_000);

const TCP = '/ip4/127.0.0.1/tcp/0';
const WEB_SOCKET = `${TCP}/ws`;
const talk = new RawTalk();
const raws: Libp2pTransport[] = [];
const folders: string[] = [];

afterEach(async () => {
  for (const raw of raws.splice(0)) await raw.stop();
  await talk.stop();
  for (const folder of folders.splice(0)) await rm(folder, { recursive: true });
});

type Changes = Partial<P2pOptions>;

const listening = (
  chain = new FakeChain(),
  address = TCP,
  changes: Changes = {},
): Promise<TestNode> =>
  talk.nodes.start(
    { libp2p: { listen: [address], peers: [], mdns: false }, ...changes },
    { chain },
  );

const dialling = (
  peers: string[],
  changes: Changes = {},
  logger: Logger = silentLogger,
): Promise<TestNode> =>
  talk.nodes.start({ libp2p: { listen: [], peers, mdns: false }, ...changes }, { logger });

const idOf = ({ node }: TestNode): string => node.libp2pAddresses[0]?.split('/').at(-1) ?? '';

function grown(count: number): FakeChain {
  const chain = new FakeChain();
  chain.grow(count);
  return chain;
}

async function folder(): Promise<string> {
  const made = await mkdtemp(join(tmpdir(), 'libp2p-test-'));
  folders.push(made);
  return made;
}

/** A libp2p node whose every byte the test decides. */
async function raw(
  peers: string[],
  onStream: (stream: TransportStream) => void = () => {},
): Promise<Libp2pTransport> {
  const transport = new Libp2pTransport({
    dataDir: await folder(),
    listen: [TCP],
    peers,
    mdnsTag: undefined,
    gate: new InboundGate({ maxPerHost: 10, isBanned: () => false }),
    logger: silentLogger,
  });
  raws.push(transport);
  await transport.start(onStream);
  return transport;
}

/** A link of a raw node to a node; `closed` resolves when the node ends it. */
async function linkTo({ node }: TestNode) {
  const stream = await dial(await raw(node.libp2pAddresses));
  const closed = new Promise<void>((resolve) =>
    stream.open({ onData: () => {}, onDrain: () => {}, onClose: resolve }),
  );
  return { stream, closed };
}

/** A stream to the only peer that a raw node knows. */
function dial(transport: Libp2pTransport): Promise<TransportStream> {
  const [address] = transport.peers;
  if (!address) throw new Error('nobody to dial');
  return transport.connect(address, { timeoutMs: 5_000 });
}

const NODE_DATA: NodeData = {
  my_port: 18080,
  network_id: NETWORKS.regtest.networkId,
  peer_id: 77n,
  rpc_credits_per_hash: 0,
  rpc_port: 0,
  support_flags: 1,
};

function introduction(chain: FakeChain, changes: Partial<NodeData> = {}): Uint8Array {
  return encodeInvoke(
    COMMANDS.handshake,
    encodeMessage(HANDSHAKE_REQUEST, {
      node_data: { ...NODE_DATA, ...changes },
      payload_data: ownSyncData(chain),
    }),
  );
}

describe.each([
  ['TCP', TCP],
  ['WebSocket', WEB_SOCKET],
])('over libp2p and %s', (_, address) => {
  test('transfers the chain and then new blocks', async () => {
    const source = await listening(grown(300), address);
    const other = await dialling(source.node.libp2pAddresses);
    await until(() => other.node.synchronized && other.chain.height === 301);
    expect(other.chain.top.id).toEqual(source.chain.top.id);
    source.chain.grow(1);
    source.node.relayBlock(301);
    await until(() => other.chain.height === 302);
    expect(other.node.bans()).toEqual([]);
  });

  test('sends new blocks from the dialling to the listening node', async () => {
    const source = await listening(new FakeChain(), address);
    const other = await dialling(source.node.libp2pAddresses);
    await until(() => other.node.synchronized && source.node.synchronized);
    other.chain.grow(1);
    other.node.relayBlock(1);
    await until(() => source.chain.height === 2);
  });
});

test('reports the connections and counts their bytes', async () => {
  const source = await listening(grown(20));
  const other = await dialling(source.node.libp2pAddresses);
  await until(() => other.chain.height === 21);
  const host = idOf(source);
  expect(other.node.connections()).toMatchObject([
    { address: host, addressType: 0, host, ip: '', port: '', incoming: false, rpcPort: 0 },
  ]);
  expect([other.node.outgoingCount, source.node.incomingCount]).toEqual([1, 1]);
  const [link] = other.node.connections();
  expect(other.node.netStats).toMatchObject({
    bytesIn: link?.recvCount,
    bytesOut: link?.sendCount,
  });
  expect(link?.recvCount).toBeGreaterThan(1000);
});

test('neither announces nor saves libp2p peers', async () => {
  const source = await listening(grown(5), TCP, { allowLocalIp: true });
  const other = await dialling(source.node.libp2pAddresses, { allowLocalIp: true });
  await until(() => other.chain.height === 6);
  for (const test of [source, other]) {
    expect(test.node.peerLists()).toEqual({ white: [], gray: [] });
    const peer = await talk.connect(test);
    const { body } = await peer.introduce(ownSyncData(test.chain));
    const welcome = decodeMessage(HANDSHAKE_RESPONSE, body);
    expect(welcome.local_peerlist_new).toEqual([]);
    // Nor can the node of the two networks be told to be the same one by its id.
    const links = [source, other].flatMap(({ node }) => node.connections());
    expect(links.map(({ peerId }) => BigInt(`0x${peerId}`))).not.toContain(
      welcome.node_data.peer_id,
    );
  }
  await other.node.stop();
  const saved = await readFile(join(other.dataDir, 'p2p-peers.json'), 'utf8');
  const nobody = { white: [], gray: [], anchor: [] };
  expect(JSON.parse(saved)).toEqual({ format: 1, ...nobody, incoming: {} });
});

test('does not ping back an incoming peer, even one whose addresses it knows', async () => {
  let accepted = 0;
  const incoming = await raw([], () => accepted++);
  const libp2p = { listen: [TCP], peers: incoming.addresses, mdns: false };
  const test = await listening(new FakeChain(), TCP, { libp2p, outPeers: 0, allowLocalIp: true });
  incoming.noteFound(idOf(test), test.node.libp2pAddresses);
  const stream = await dial(incoming);
  stream.write(introduction(test.chain));
  await until(() => test.node.connections()[0]?.state === 'normal');
  // A ping would have been dialled before these links, and would be there before the second.
  for (let links = 1; links <= 2; links++) {
    await dial(await raw(incoming.addresses));
    await until(() => accepted >= links);
  }
  expect(accepted).toBe(2);
});

describe('hostile peers', () => {
  const BYTES: [string, Uint8Array][] = [
    ['garbage', new Uint8Array(1000).fill(7)],
    ['a frame that is too large', encodeNotify(2001, new Uint8Array(0)).fill(0xff, 8, 15)],
    ['a packet that is too large before the handshake', new Uint8Array(600_000)],
    ['a handshake that does not decode', encodeInvoke(COMMANDS.handshake, new Uint8Array(50))],
  ];

  test.each(BYTES)('%s closes the link', async (_, bytes) => {
    const test = await listening();
    const { stream, closed } = await linkTo(test);
    stream.write(bytes);
    await closed;
    await until(() => test.node.connections().length === 0);
  });

  test('disconnects a banned id and refuses it afterwards', async () => {
    const test = await listening();
    const { stream, closed } = await linkTo(test);
    stream.write(introduction(test.chain));
    await until(() => test.node.connections()[0]?.state === 'normal');
    const [link] = test.node.connections();
    expect(test.node.ban(link?.host ?? '', 100)).toBe(true);
    await closed;
    const [ban, ...others] = test.node.bans();
    expect(ban).toMatchObject({ host: link?.host, ip: 0 });
    // Of 100, on a busy machine.
    expect(ban?.seconds).toBeGreaterThan(50);
    expect(others).toEqual([]);
    const [id] = raws.map(({ peers }) => peers[0]);
    if (!id || !raws[0]) throw new Error('no raw node');
    await expect(raws[0].connect(id, { timeoutMs: 3_000 })).rejects.toThrow();
  });

  test('drops a peer that sends addresses, and bans it in the end', async () => {
    const streams: TransportStream[] = [];
    const transport = await raw([], (stream) => void streams.push(stream));
    const chain = new FakeChain();
    const test = await dialling(transport.addresses);
    const body = encodeMessage(HANDSHAKE_RESPONSE, {
      local_peerlist_new: [
        {
          adr: { kind: 'ipv4', host: '8.8.8.8', port: 18080 },
          id: 5n,
          last_seen: 0n,
          pruning_seed: 0,
          rpc_credits_per_hash: 0,
          rpc_port: 0,
        },
      ],
      node_data: NODE_DATA,
      payload_data: ownSyncData(chain),
    });
    /** Answers the introduction, and waits until the link is closed. */
    const answer = (stream: TransportStream): Promise<void> =>
      new Promise((onClose) =>
        stream.open({
          onData: () => stream.write(encodeResponse(COMMANDS.handshake, 1, body)),
          onDrain: () => {},
          onClose,
        }),
      );
    // Each time a fault; after the eleventh the node does not come back.
    for (let i = 0; i < 11; i++) {
      await until(() => streams.length > i, 15_000);
      const stream = streams[i];
      if (stream) await answer(stream);
    }
    await until(() => test.node.bans().length > 0);
    expect(test.node.bans()).toMatchObject([{ host: transport.addresses[0]?.split('/').at(-1) }]);
    expect(test.node.peerLists()).toEqual({ white: [], gray: [] });
    expect(test.node.synchronized).toBe(false);
  });

  test('disconnects from a peer with another id than the dialled one', async () => {
    const [real, claimed] = [await listening(grown(3)), await listening()];
    const address = real.node.libp2pAddresses[0]?.replace(idOf(real), idOf(claimed)) ?? '';
    const { logger, lines: ends } = noting('no connection to');
    const test = await dialling([address], {}, logger);
    await until(() => ends.length > 0);
    expect(test.node.connections()).toEqual([]);
    expect(real.node.connections()).toEqual([]);
    expect(test.chain.height).toBe(1);
  });
});

describe('limits and bans', () => {
  test('limits incoming connections in total and per host', async () => {
    const [none, one] = [
      await listening(grown(3), TCP, { inPeers: 0 }),
      await listening(grown(3), WEB_SOCKET, { maxConnectionsPerIp: 1 }),
    ];
    const test = await dialling([...none.node.libp2pAddresses, ...one.node.libp2pAddresses]);
    await until(() => test.chain.height === 4);
    const { logger, lines: ends } = noting('no connection to');
    const late = await dialling(one.node.libp2pAddresses, {}, logger);
    await until(() => ends.length > 0);
    expect(late.node.outgoingCount).toBe(0);
    expect([none.node.incomingCount, one.node.incomingCount]).toEqual([0, 1]);
    one.node.setInPeers(0);
    await until(() => test.node.outgoingCount === 0);
  });

  test.each([
    ['TCP', TCP],
    ['WebSocket', WEB_SOCKET],
  ])('a ban of the IP address underneath closes a link over %s and keeps it out', async (_, at) => {
    const source = await listening(grown(3), at);
    const { logger, lines: ends } = noting('no connection to');
    const test = await dialling(source.node.libp2pAddresses, {}, logger);
    await until(() => test.chain.height === 4);
    expect(source.node.ban('127.0.0.0/8', 1000)).toBe(true);
    await until(() => source.node.incomingCount === 0);
    await until(() => ends.length > 0);
    expect(source.node.incomingCount).toBe(0);
    expect(source.node.unban('127.0.0.0/8')).toBe(true);
    await until(() => source.node.incomingCount === 1);
  });

  test('refuses to ban text that is not a peer id', async () => {
    const { node } = await listening();
    expect(node.ban('12D3KooW', 1)).toBe(false);
    expect(node.ban(`1${'0'.repeat(51)}`, 1)).toBe(false);
  });
});

test('keeps the identity in a file readable by its owner only', async () => {
  const dataDir = await folder();
  const first = await listening(new FakeChain(), TCP, { dataDir });
  const id = idOf(first);
  await first.node.stop();
  const second = await listening(new FakeChain(), TCP, { dataDir });
  expect(idOf(second)).toBe(id);
  await talk.nodes.stop();
  folders.length = 0; // removed with the node
});

test('rejects when an address cannot be listened on, and leaves nothing open', async () => {
  const taken = await listening();
  const address = taken.node.libp2pAddresses[0]?.replace(/\/p2p\/.*/, '') ?? '';
  await expect(listening(new FakeChain(), address)).rejects.toThrow(/libp2p cannot listen on/);
});
