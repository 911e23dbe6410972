import { jest } from '@jest/globals';
import { until } from '@monero-node/base/testing';
import { toHex } from '@monero-node/codec';
import { StorageError } from '@monero-node/storage';
import { FakeChain, BAD_POW_NONCE, BAD_REWARD_NONCE } from './testing/fake-chain.ts';
import { TestNodes, loopback, noting } from './testing/test-node.ts';

jest.setTimeout(30_000);

const nodes = new TestNodes();
afterEach(() => nodes.stop());

function topOf(chain: FakeChain): string {
  return toHex(chain.top.id);
}

describe('two nodes over TCP', () => {
  test('a new node downloads a whole chain while it verifies earlier spans', async () => {
    const server = await nodes.start();
    server.chain.grow(2500);
    const progress: number[] = [];
    const client = await nodes.start({ exclusiveNodes: [loopback(server.node.listenPort)] });
    client.chain.delay = 2;
    client.node.events.on('progress', ({ height }) => progress.push(height));
    expect(client.node.synchronized).toBe(false);
    await until(() => client.node.synchronized);
    expect(topOf(client.chain)).toBe(topOf(server.chain));
    expect(client.node.targetHeight).toBe(0);
    expect(progress.at(-1)).toBe(2501);
    expect(Math.max(...client.chain.spans)).toBeLessThanOrEqual(100);
    expect(client.node.syncInfo()).toMatchObject({ height: 2501, overview: '[]', spans: [] });
  });

  test('reports its connections', async () => {
    const server = await nodes.start();
    const client = await nodes.start({ exclusiveNodes: [loopback(server.node.listenPort)] });
    await until(() => client.node.synchronized && server.node.incomingCount === 1);
    const [out] = client.node.connections();
    const [incoming] = server.node.connections();
    expect(out).toMatchObject({
      address: loopback(server.node.listenPort),
      addressType: 1,
      height: 1,
      host: '127.0.0.1',
      incoming: false,
      ip: '127.0.0.1',
      localIp: false,
      localhost: true,
      port: String(server.node.listenPort),
      state: 'normal',
      supportFlags: 1,
    });
    expect(out?.peerId).toMatch(/^[0-9a-f]{16}$/);
    expect(out?.connectionId).toMatch(/^[0-9a-f]{32}$/);
    expect(incoming).toMatchObject({ incoming: true, state: 'normal' });
    expect(out?.recvCount).toBe(incoming?.sendCount);
    const { netStats } = client.node;
    expect(netStats.bytesIn).toBe(out?.recvCount);
    expect(netStats.bytesOut).toBe(out?.sendCount);
    expect([client.node.outgoingCount, server.node.incomingCount]).toEqual([1, 1]);
  });

  test('relays a new block to a third node', async () => {
    const middle = await nodes.start();
    const left = await nodes.start({ exclusiveNodes: [loopback(middle.node.listenPort)] });
    const right = await nodes.start({ exclusiveNodes: [loopback(middle.node.listenPort)] });
    await until(
      () => left.node.synchronized && right.node.synchronized && middle.node.synchronized,
    );
    left.chain.grow(1);
    left.node.relayBlock(1);
    await until(() => right.chain.height === 2);
    expect(topOf(right.chain)).toBe(topOf(left.chain));
    expect(middle.chain.height).toBe(2);
    const [connection] = middle.node.connections().filter(({ height }) => height === 2);
    expect(connection).toBeDefined();
  });

  test("requests the chain when a block's parent is unknown", async () => {
    const server = await nodes.start();
    const client = await nodes.start({ exclusiveNodes: [loopback(server.node.listenPort)] });
    await until(() => client.node.synchronized);
    server.chain.grow(5);
    server.node.relayBlock(5);
    await until(() => client.chain.height === 6);
  });

  test('switches to a longer competing branch of a peer', async () => {
    const server = await nodes.start();
    server.chain.grow(120);
    const chain = new FakeChain();
    chain.grow(100);
    chain.grow(10, { nonce: 5 });
    const client = await nodes.start(
      { exclusiveNodes: [loopback(server.node.listenPort)] },
      { chain },
    );
    await until(() => client.chain.height === 121);
    expect(topOf(client.chain)).toBe(topOf(server.chain));
  });

  test('stores a competing branch that is not longer as alternative', async () => {
    const server = await nodes.start();
    server.chain.grow(20);
    const chain = new FakeChain();
    chain.grow(10);
    chain.grow(10, { nonce: 5 });
    const client = await nodes.start(
      { exclusiveNodes: [loopback(server.node.listenPort)] },
      { chain },
    );
    await until(() => client.chain.has(server.chain.idAt(20)) === 'alt');
    await until(() => client.node.synchronized);
    expect(client.node.connections()[0]?.state).toBe('normal');
  });

  test('announces blocks it caught up with to peers that lack them', async () => {
    const middle = await nodes.start();
    const behind = await nodes.start({ exclusiveNodes: [loopback(middle.node.listenPort)] });
    await until(() => behind.node.synchronized && middle.node.synchronized);
    const ahead = new FakeChain();
    ahead.grow(30);
    await nodes.start({ exclusiveNodes: [loopback(middle.node.listenPort)] }, { chain: ahead });
    await until(() => behind.chain.height === 31);
  });

  test('downloads from several peers', async () => {
    const chain = new FakeChain();
    chain.grow(3000);
    const servers = await Promise.all([1, 2, 3].map(() => nodes.start({}, { chain })));
    const client = await nodes.start({
      exclusiveNodes: servers.map(({ node }) => loopback(node.listenPort)),
    });
    await until(() => client.node.synchronized);
    expect(client.chain.height).toBe(3001);
    for (const { node } of servers) expect(node.netStats.bytesOut).toBeGreaterThan(20_000);
  });

  test('other peers replace one that leaves during a download', async () => {
    const chain = new FakeChain();
    chain.grow(3000);
    const servers = await Promise.all([1, 2].map(() => nodes.start({}, { chain })));
    const client = await nodes.start({
      exclusiveNodes: servers.map(({ node }) => loopback(node.listenPort)),
    });
    client.chain.delay = 20;
    await until(() => client.chain.height > 500);
    await servers[0]?.node.stop();
    await until(() => client.node.synchronized);
    expect(client.chain.height).toBe(3001);
  });

  test('a failure of our own punishes no peer and is retried', async () => {
    const server = await nodes.start();
    server.chain.grow(50);
    const chain = new FakeChain();
    chain.failures = [new StorageError('io', 'the disk is full')];
    const client = await nodes.start(
      { exclusiveNodes: [loopback(server.node.listenPort)] },
      { chain },
    );
    const told: string[] = [];
    client.node.events.on('verifying', (isVerifying) =>
      told.push(`${isVerifying} at ${chain.height}`),
    );
    await until(() => client.chain.height === 51);
    await until(() => told.at(-1) === 'false at 51');
    expect(told.slice(0, 3)).toEqual(['true at 1', 'false at 1', 'true at 1']);
    expect(told.filter((text) => text.startsWith('true'))).toHaveLength(told.length / 2);
    expect(client.node.bans()).toEqual([]);
    expect(client.node.outgoingCount).toBe(1);
  });
});

describe('bad blocks', () => {
  test('a block without proof of work bans its sender and does not stop synchronization', async () => {
    const good = new FakeChain();
    good.grow(200);
    const bad = new FakeChain();
    bad.grow(100);
    bad.growBad(BAD_POW_NONCE);
    const liar = await nodes.start({}, { chain: bad });
    const client = await nodes.start({ exclusiveNodes: [loopback(liar.node.listenPort)] });
    await until(() => client.node.bans().length > 0);
    expect(client.node.bans()[0]).toMatchObject({ host: '127.0.0.1', ip: 0x0100007f });
    expect(client.node.banned('127.0.0.1')).toBeGreaterThan(86_000);
    expect(client.node.outgoingCount).toBe(0);
    await liar.node.stop();
    // With the ban lifted, an honest peer brings the chain.
    expect(client.node.unban('127.0.0.1')).toBe(true);
    const honest = await nodes.start(
      { exclusiveNodes: [loopback(client.node.listenPort)] },
      { chain: good },
    );
    await until(() => client.chain.height === 201);
    expect(honest.node.outgoingCount).toBe(1);
  });

  test('any other invalid block does not ban its sender, and downloads continue', async () => {
    const bad = new FakeChain();
    bad.grow(10);
    bad.growBad(BAD_REWARD_NONCE);
    const good = new FakeChain();
    good.grow(200);
    const liar = await nodes.start({}, { chain: bad });
    const client = await nodes.start({ exclusiveNodes: [loopback(liar.node.listenPort)] });
    await until(() => client.chain.has(bad.idAt(11)) === 'invalid');
    await until(() => client.node.outgoingCount === 0);
    expect(client.node.bans()).toEqual([]);
    await nodes.start({ exclusiveNodes: [loopback(client.node.listenPort)] }, { chain: good });
    await until(() => client.chain.height === 201);
  });
});

describe('connections', () => {
  test('does not connect to itself', async () => {
    const { logger, lines: closed } = noting('closed:');
    const { node } = await nodes.start(
      { bindPort: 48_391, exclusiveNodes: ['127.0.0.1:48391'] },
      { logger },
    );
    await until(() => closed.length >= 2);
    expect([node.outgoingCount, node.incomingCount]).toEqual([0, 0]);
    expect(node.whiteCount).toBe(0);
  });

  test('refuses more connections per address than allowed', async () => {
    const server = await nodes.start({ maxConnectionsPerIp: 1 });
    const exclusiveNodes = [loopback(server.node.listenPort)];
    const first = await nodes.start({ exclusiveNodes });
    await until(() => first.node.synchronized);
    const { logger, lines: closed } = noting('closed:');
    const second = await nodes.start({ exclusiveNodes }, { logger });
    await until(() => closed.length > 0);
    expect(server.node.incomingCount).toBe(1);
    expect(second.node.synchronized).toBe(false);
  });

  test('lowering the wanted number of peers closes surplus connections', async () => {
    const server = await nodes.start();
    const client = await nodes.start({ exclusiveNodes: [loopback(server.node.listenPort)] });
    await until(() => client.node.synchronized);
    server.node.setInPeers(0);
    await until(() => server.node.incomingCount === 0);
    expect(server.node.inPeers).toBe(0);
    client.node.setOutPeers(0);
    expect(client.node.outPeers).toBe(0);
    client.node.setOutPeers(-1);
    expect(client.node.outPeers).toBe(12);
  });

  test('dials an added peer on this machine', async () => {
    const server = await nodes.start();
    const client = await nodes.start({ addPeers: [`localhost:${server.node.listenPort}`] });
    await until(() => client.node.synchronized);
    expect(client.node.outgoingCount).toBe(1);
  });

  test('banning a host closes its connections', async () => {
    const server = await nodes.start();
    const client = await nodes.start({ priorityNodes: [loopback(server.node.listenPort)] });
    await until(() => client.node.synchronized);
    expect(server.node.ban('127.0.0.0/8', 100)).toBe(true);
    expect(server.node.incomingCount).toBe(0);
    expect(server.node.ban('nonsense', 100)).toBe(false);
    expect(server.node.bans()).toEqual([{ host: '127.0.0.0/8', ip: 0, seconds: 100 }]);
  });

  test('an offline node neither listens nor dials and counts as synchronized', async () => {
    const { node } = await nodes.start({ offline: true, exclusiveNodes: ['127.0.0.1:1'] });
    expect([node.listenPort, node.outgoingCount, node.synchronized]).toEqual([0, 0, true]);
  });

  test('stops quickly, even during a download', async () => {
    const server = await nodes.start();
    server.chain.grow(2000);
    const client = await nodes.start({ exclusiveNodes: [loopback(server.node.listenPort)] });
    client.chain.delay = 50;
    await until(() => client.chain.height > 100);
    await client.node.stop();
    expect(client.node.outgoingCount).toBe(0);
    // It has stopped in the middle of the download.
    expect(client.chain.height).toBeLessThan(2001);
  });

  test('rejects when it cannot listen', async () => {
    const { node } = await nodes.start();
    await expect(nodes.start({ bindPort: node.listenPort })).rejects.toThrow(/EADDRINUSE/);
  });

  test('rate limits can be changed and are 8 and 32 MiB/s by default', async () => {
    const { node } = await nodes.start();
    expect(node.limits).toEqual({ up: 8192, down: 32768 });
    node.setLimits({ down: 100 });
    expect(node.limits).toEqual({ up: 8192, down: 100 });
    node.setLimits({ up: 5, down: -1 });
    expect(node.limits).toEqual({ up: 5, down: 32768 });
  });
});
