import { settle } from '@monero-node/base/testing';
import { NETWORKS } from '@monero-node/consensus';
import { answering, introduction, listenAt, sending } from '../testing/made-up-node.ts';
import { MemoryNetwork } from '../testing/memory-network.ts';
import type { NetAddress } from '../net/address.ts';
import { crawl, type CrawledNode, type CrawlOptions } from './crawl.ts';
import { Frontier } from './frontier.ts';

const { regtest } = NETWORKS;
const at = (host: string, port = 18080): NetAddress => ({ kind: 'ipv4', host, port });

async function listOf(network: MemoryNetwork, options: CrawlOptions): Promise<CrawledNode[]> {
  const visits: CrawledNode[] = [];
  const transport = network.machine('9.9.9.9');
  for await (const visit of crawl(regtest, { transport, timeoutMs: 300, ...options })) {
    visits.push(visit);
  }
  return visits;
}

/** Three nodes that name each other, one of which also names a dead one. */
async function triangle(): Promise<MemoryNetwork> {
  const network = new MemoryNetwork();
  const [a, b, c, dead] = [at('9.1.0.1'), at('9.2.0.1'), at('9.3.0.1'), at('9.4.0.1')];
  await listenAt(network, a, answering(introduction([b, a])));
  await listenAt(network, b, answering(introduction([c, dead])));
  await listenAt(network, c, answering(introduction([a, b])));
  return network;
}

test('visits every node once and reports those that do not answer', async () => {
  const network = await triangle();
  const visits = await listOf(network, { start: ['9.1.0.1:18080'] });
  const found = visits.map(({ address, ok }) => `${address} ${ok}`).sort();
  expect(found).toEqual([
    '9.1.0.1:18080 true',
    '9.2.0.1:18080 true',
    '9.3.0.1:18080 true',
    '9.4.0.1:18080 false',
  ]);
  expect(new Set(network.dials).size).toBe(network.dials.length);
});

test('visits a network on private addresses only when that is allowed', async () => {
  const network = new MemoryNetwork();
  const [a, b, c] = [at('10.0.0.1'), at('10.0.0.2'), at('192.168.0.1')];
  await listenAt(network, a, answering(introduction([b])));
  await listenAt(network, b, answering(introduction([c, a])));
  await listenAt(network, c, answering(introduction([])));
  const start = ['10.0.0.1'];
  const addresses = (visits: CrawledNode[]): string[] => visits.map(({ address }) => address);
  expect(addresses(await listOf(network, { start }))).toEqual(['10.0.0.1:18080']);
  expect(addresses(await listOf(network, { start, allowPrivate: true }))).toEqual(
    [a, b, c].map(({ host }) => `${host}:18080`),
  );
});

test('visits no more nodes than it may', async () => {
  const network = await triangle();
  expect(await listOf(network, { start: ['9.1.0.1'], maxNodes: 2 })).toHaveLength(2);
  await expect(listOf(network, { start: [], maxNodes: 0 })).rejects.toThrow(RangeError);
  expect(await listOf(network, { start: [] })).toEqual([]);
});

test('closes all connections when it is left early or aborted', async () => {
  const network = new MemoryNetwork();
  let open = 0;
  const silent = [at('9.5.0.1'), at('9.6.0.1')];
  for (const address of silent) {
    await listenAt(network, address, (stream) => {
      open++;
      stream.open({ onData: () => undefined, onDrain: () => undefined, onClose: () => open-- });
    });
  }
  await listenAt(network, at('9.1.0.1'), answering(introduction(silent)));
  const options = { transport: network.machine('9.9.9.9'), start: ['9.1.0.1', '9.5.0.1'] };
  for await (const visit of crawl(regtest, { ...options, timeoutMs: 60_000 })) {
    expect(visit.address).toBe('9.1.0.1:18080');
    break;
  }
  const stop = new AbortController();
  const visits = crawl(regtest, { ...options, timeoutMs: 60_000, signal: stop.signal });
  await visits.next();
  stop.abort(new Error('enough'));
  await expect(visits.next()).rejects.toThrow('enough');
  await settle();
  expect(open).toBe(0);
});

test('a node that makes up addresses does not crowd out the others', async () => {
  const network = new MemoryNetwork();
  const made = (n: number) => Array.from({ length: 250 }, (_, i) => at(`9.${n}.${i}.1`));
  await listenAt(network, at('8.1.0.1'), answering(introduction(made(20))));
  await listenAt(network, at('8.2.0.1'), answering(introduction([at('8.3.0.1')])));
  await listenAt(network, at('8.3.0.1'), sending());
  const start = ['8.1.0.1', '8.2.0.1'];
  const visits = await listOf(network, { start, maxNodes: 20, concurrency: 2 });
  expect(visits).toHaveLength(20);
  expect(visits.map(({ address }) => address)).toContain('8.3.0.1:18080');
});

describe('a frontier', () => {
  test('is bounded in all, for each source and for each subnet', () => {
    const frontier = new Frontier({ maxKnown: 300, maxPerSubnet: 2 });
    frontier.add([at('9.1.1.1'), at('9.1.1.2'), at('9.1.1.3'), at('9.1.1.1', 1)]);
    frontier.add(Array.from({ length: 400 }, (_, i) => at(`9.2.${i >> 1}.${i}`)));
    frontier.add(Array.from({ length: 400 }, (_, i) => at(`9.3.${i >> 1}.${i}`)));
    let count = 0;
    while (frontier.next() !== undefined) count++;
    expect(count).toBe(300);
    frontier.add([at('9.4.0.1')]);
    expect(frontier.next()).toBeUndefined();
  });
});
