import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { guardServer, silentLogger } from '@monero-node/base';
import { until } from '@monero-node/base/testing';
import type { ChainTip } from './fleet-tip.ts';
import { FleetWatch, type FleetNode, type FleetWatchOptions } from './fleet-watch.ts';

/** The tip of a chain whose blocks took 16 hashes each. */
const tipAt = (height: number): ChainTip => {
  return { height, id: 'ab'.repeat(32), work: BigInt(height) * 16n };
};
/** Nodes of a fleet, by their addresses. */
const nodesAt = (...hosts: readonly string[]): FleetNode[] =>
  hosts.map((host) => ({ host, port: 18089 }));
const watchOf = (nodes: readonly FleetNode[], more: Partial<FleetWatchOptions> = {}) =>
  new FleetWatch({
    nodes,
    logger: silentLogger,
    ask: () => Promise.resolve(undefined),
    ...more,
  });

/** Returns the height of the tip that a watch knows after its first round with nodes at heights; undefined: the node has no vote. */
async function heightOf(...heights: readonly (number | undefined)[]): Promise<number | undefined> {
  const left = heights.map((height) => (height === undefined ? undefined : tipAt(height)));
  const nodes = nodesAt(...heights.map((_, i) => `127.0.0.${i + 1}`));
  const watch = watchOf(nodes, { ask: () => Promise.resolve(left.shift()) });
  await watch.start();
  await watch.stop();
  return watch.tip?.height;
}

test('the tip that most of the ready nodes vouch for counts', async () => {
  expect(await heightOf(7)).toBe(7);
  expect(await heightOf(7, 9, undefined)).toBe(7);
  expect(await heightOf(7, 9, 9)).toBe(9);
});

test('of three nodes, one that lies does not decide', async () => {
  expect(await heightOf(999_999, 7)).toBe(7);
});

test('a fleet of one has nobody to ask', async () => {
  expect(await heightOf()).toBeUndefined();
});

test('a node that does not answer counts as absent', async () => {
  const ask = (url: string): Promise<ChainTip | undefined> =>
    url.includes('127.0.0.1') ? Promise.reject(new Error('gone')) : Promise.resolve(tipAt(3));
  const watch = watchOf(nodesAt('127.0.0.1', '127.0.0.2'), { ask });
  await watch.start();
  await watch.stop();
  expect(watch.tip?.height).toBe(3);
});

test('nodes are asked at their addresses, with the id by which this one knows itself', async () => {
  const asked: unknown[][] = [];
  const ask = (url: string, _timeout: number, ownId: string): Promise<undefined> => {
    asked.push([url, ownId]);
    return Promise.resolve(undefined);
  };
  const watch = watchOf(nodesAt('127.0.0.1', '::1'), { ask });
  await watch.start();
  await watch.stop();
  expect(asked).toEqual([
    ['http://127.0.0.1:18089/health/ready', watch.instanceId],
    ['http://[::1]:18089/health/ready', watch.instanceId],
  ]);
});

test('tips are asked for again until the stop', async () => {
  let height = 1;
  const ask = () => Promise.resolve(tipAt(height));
  const watch = watchOf(nodesAt('127.0.0.1'), { ask, interval: 5 });
  await watch.start();
  expect(watch.tip).toEqual(tipAt(1));
  height = 2;
  await until(() => watch.tip?.height === 2);
  await watch.stop();
});

test('nodes are asked over HTTP', async () => {
  const answer = JSON.stringify({
    status: 'ready',
    height: 7,
    top_hash: tipAt(7).id,
    wide_cumulative_difficulty: '0x70',
  });
  const server = guardServer(
    createServer((_, response) => response.setHeader('Content-Length', answer.length).end(answer)),
    () => undefined,
  ).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const nodes = [{ host: '127.0.0.1', port }];
  const watch = new FleetWatch({ nodes, logger: silentLogger, interval: 5 });
  await watch.start();
  // A round in which a slow machine misses the time-out is followed by others.
  await until(() => watch.tip !== undefined);
  expect(watch.tip).toEqual(tipAt(7));
  await watch.stop();
  server.closeAllConnections();
  server.close();
  await once(server, 'close');
});

test('a process has an id of its own, and none without a fleet', () => {
  const [one, two] = [watchOf(nodesAt('127.0.0.1')), watchOf(nodesAt('127.0.0.1'))];
  expect(one.instanceId).toMatch(/^[0-9a-f]{32}$/);
  expect(two.instanceId).not.toBe(one.instanceId);
  expect(watchOf([]).instanceId).toBeUndefined();
});

test('addresses of the fleet are known, and a name that does not resolve is logged once per change', async () => {
  const lines: string[] = [];
  const logger = {
    ...silentLogger,
    warn: (line: string) => void lines.push(line),
    info: (line: string) => void lines.push(line),
  };
  let addresses = undefined as string[] | undefined;
  let asked = 0;
  const resolve = (): Promise<string[]> => {
    asked++;
    const error = Object.assign(new Error('no'), { code: 'ENOTFOUND' });
    return addresses === undefined ? Promise.reject(error) : Promise.resolve(addresses);
  };
  const watch = watchOf(nodesAt('node.invalid'), { logger, resolve, interval: 5 });
  await watch.start();
  await until(() => asked > 3);
  expect(lines).toEqual([
    '--fleet-node node.invalid:18089: the name does not resolve (ENOTFOUND), so that node has no vote',
  ]);
  expect(watch.has('10.0.0.2')).toBe(false);
  addresses = ['10.0.0.2', '2001:db8::2'];
  await until(() => lines.length > 1);
  expect(lines[1]).toBe('--fleet-node node.invalid:18089: the name resolves again');
  for (const address of [...addresses, '::ffff:10.0.0.2']) expect(watch.has(address)).toBe(true);
  expect(watch.has('10.0.0.3')).toBe(false);
  await watch.stop();
});
