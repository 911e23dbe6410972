import { once } from 'node:events';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { until } from '@monero-node/base/testing';
import { StratumServer } from '@monero-node/stratum';
import { ZmqServer } from '@monero-node/zmq';
import { openNode, type NodeAdditions } from './open-node.ts';
import type { NodeOptions } from './options.ts';
import type { Part } from './parts/lifecycle.ts';

/** A lonely node on loopback. */
const PRIVATE: NodeOptions = {
  network: 'regtest',
  rpc: { bindPort: 0 },
  p2p: { bindIp: '127.0.0.1', bindPort: 0 },
};

const infoOf = async (port: number | undefined): Promise<unknown> =>
  (await fetch(`http://127.0.0.1:${port}/get_info`)).json();

test('a node in memory answers, listens, and stops', async () => {
  const node = await openNode(PRIVATE);
  expect(node.rpc.ports.main).toBeUndefined();
  await node.start();
  const { main } = node.rpc.ports;
  expect(await infoOf(main)).toMatchObject({ status: 'OK', nettype: 'fakechain', height: 1 });
  expect(node.p2p.listenPort).toBeGreaterThan(0);
  expect([node.blockchain.height, node.pool.size, node.miner.status.active]).toEqual([1, 0, false]);
  expect(node.storeOnDisk).toBeUndefined();
  await node.stop();
  await expect(infoOf(main)).rejects.toThrow();
});

test('a chain in a folder stays; a node that was never started closes it too', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'open-node-'));
  const first = await openNode({ ...PRIVATE, dataDir });
  expect(first.storeOnDisk).toBe(first.store);
  await first[Symbol.asyncDispose]();
  expect(() => first.store.height).toThrow('closed');
  // The lock of the first one is gone.
  const second = await openNode({ ...PRIVATE, dataDir });
  await second.start();
  await second.stop();
  expect(existsSync(join(dataDir, 'p2p-peers.json'))).toBe(true);
  rmSync(dataDir, { recursive: true });
});

test('each part can be disposed of, as a program needs that has put parts together', async () => {
  const node = await openNode(PRIVATE);
  await node.start();
  const { main } = node.rpc.ports;
  await node.rpc[Symbol.asyncDispose]();
  await expect(infoOf(main)).rejects.toThrow();
  await node.p2p[Symbol.asyncDispose]();
  await node.pool[Symbol.asyncDispose]();
  await node.blockchain[Symbol.asyncDispose]();
  await expect(node.blockchain.popBlocks(1)).rejects.toThrow('the blockchain is stopping');
  await node.stop();
});

test.each([StratumServer, ZmqServer])(
  'to dispose of it is to stop it: %p',
  async ({ prototype }) => {
    const stops: number[] = [];
    const fake = { stop: async () => void stops.push(1) };
    await Reflect.apply(prototype[Symbol.asyncDispose], fake, []);
    expect(stops).toEqual([1]);
  },
);

test('the default is mainnet', async () => {
  const node = await openNode();
  expect([node.network.name, node.expectsPeers]).toEqual(['mainnet', true]);
  expect(node.notReady()).toEqual(['synchronizing', 'no_peers']);
  await node.stop();
});

test('a start that fails closes everything', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const node = await openNode({ ...PRIVATE, rpc: { bindPort: port } });
  await expect(node.start()).rejects.toMatchObject({ code: 'EADDRINUSE' });
  expect(() => node.store.height).toThrow('closed');
  server.close();
});

test('what a program adds starts and stops with the node', async () => {
  const journal: string[] = [];
  const part = (name: string): Part => ({
    name,
    start: async () => void journal.push(`start ${name}`),
    stop: async () => void journal.push(`stop ${name}`),
  });
  const calls: string[] = [];
  const node = await openNode(PRIVATE, ({ p2p }): NodeAdditions => {
    const late: Part = {
      ...part('late'),
      start: async () => void journal.push(`late, peers ${p2p.listenPort > 0 ? 'on' : 'off'}`),
    };
    return {
      beforePeers: [part('early')],
      afterPeers: [late],
      onCall: ({ request }) => void calls.push(request),
    };
  });
  await node.start();
  await infoOf(node.rpc.ports.main);
  await node.stop();
  expect(journal).toEqual(['start early', 'late, peers on', 'stop late', 'stop early']);
  expect(calls).toEqual(['/get_info']);
});

test('additions that cannot be built close the chain', async () => {
  const stores: { readonly height: number }[] = [];
  const opening = openNode(PRIVATE, ({ store }) => {
    stores.push(store);
    throw new Error('no additions');
  });
  await expect(opening).rejects.toThrow('no additions');
  expect(() => stores[0]?.height).toThrow('closed');
});

test('a client may stop the node', async () => {
  const node = await openNode(PRIVATE);
  await node.start();
  const { main } = node.rpc.ports;
  await fetch(`http://127.0.0.1:${main}/stop_daemon`);
  await until(() => node.rpc.ports.main === undefined);
  await node.stop();
  expect(() => node.store.height).toThrow('closed');
});

test('a stop during the start waits for it, and a stopped node does not start', async () => {
  const order: string[] = [];
  let finish = (): void => undefined;
  const slow: Part = {
    name: 'slow',
    start: () =>
      new Promise((resolve) => {
        order.push('starting');
        finish = () => {
          order.push('started');
          resolve();
        };
      }),
    stop: () => Promise.resolve(void order.push('stopped')),
  };
  const node = await openNode(PRIVATE, () => ({ beforePeers: [slow] }));
  const started = node.start();
  const stopped = node.stop();
  // A stop that does not wait would have closed everything by then.
  for (let i = 0; i < 50; i++) await new Promise(setImmediate);
  expect(order).toEqual(['starting']);
  finish();
  await Promise.all([started, stopped]);
  expect(order).toEqual(['starting', 'started', 'stopped']);
  await expect(node.start()).rejects.toThrow('stopped');
  expect(node.rpc.ports.main).toBeUndefined();
});
