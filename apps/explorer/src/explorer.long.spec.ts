import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { silentLogger } from '@monero-node/base';
import { until } from '@monero-node/base/testing';
import { startNode, type DevNode } from '@monero-node/devnet';
import type { RpcClient } from '@monero-node/rpc-client';
import { differences } from './check/lines.ts';
import { nodeFacts } from './check/node-facts.ts';
import { tableFacts } from './check/table-facts.ts';
import type { Database } from './database/database.ts';
import { migrate } from './database/migrate.ts';
import { openPglite } from './database/pglite.ts';
import { readRecordedChain } from './demo/recorded-chain.ts';
import { startExplorer, type Explorer } from './explorer.ts';
import { NodeFollower } from './node/follow-node.ts';
import { ChainTables } from './store/chain-tables.ts';
import { checkNetwork, networkOf, WrongNetworkError } from './store/network.ts';

const CHAIN = new URL('../../../apps/daemon-e2e/fixtures/chain.raw', import.meta.url);
const BLOCKS = 200;
const WAIT_MS = 60_000;

let net: DevNode;
let database: Database;
let explorer: Explorer;

beforeAll(async () => {
  net = await startNode();
  await net.node.blockchain.addSpan(readRecordedChain(CHAIN).slice(0, BLOCKS), { trust: true });
  database = await openPglite();
  explorer = await startExplorer(
    { host: '127.0.0.1', port: 0 },
    {
      database,
      logger: silentLogger,
      openSource: (tables) =>
        Promise.resolve(new NodeFollower({ client: net.rpc, logger: silentLogger, ...tables })),
    },
  );
}, WAIT_MS);
afterAll(async () => {
  await explorer.stop();
  await net.stop();
});

/** Returns what still differs between tables and node once it is nothing, or at the end of the waiting. */
async function remaining(): Promise<readonly string[]> {
  const end = Date.now() + WAIT_MS;
  const expected = await nodeFacts(net.rpc);
  for (;;) {
    const found = differences(await tableFacts(database), expected);
    if (found.length === 0 || Date.now() > end) return found;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

test('the tables hold what the node says, also after a reorganization', async () => {
  expect(await remaining()).toEqual([]);
  await net.reorganize(16);
  expect(net.node.pool.size).toBeGreaterThan(0);
  expect(await remaining()).toEqual([]);
  const page = await (await fetch(explorer.url)).text();
  expect(page).toContain(`data-height="${net.height - 1}"`);
});

test('a port that is in use is named, in a sentence', async () => {
  const { host, port } = new URL(explorer.url);
  const openSource = () => Promise.reject(new Error('not asked for'));
  await expect(
    startExplorer(
      { host: '127.0.0.1', port: Number(port) },
      { database, logger: silentLogger, openSource },
    ),
  ).rejects.toThrow(`no pages at ${host} (--host, --port): another program listens there`);
});

test('tables of a newer version are refused, and those of the same one stay', async () => {
  const before = await tableFacts(database);
  await migrate(database);
  expect(await tableFacts(database)).toEqual(before);
  await expect(migrate(database, [])).rejects.toThrow('the tables have version 1');
});

test.each([
  '%',
  '%00',
  'block/4294967296',
  'block/-1',
  'tx/abc',
  'output/99999999999999999999',
  'output/1?amount=x',
  `key-image/${'0'.repeat(64)}`,
  `search?q=${encodeURIComponent('<script>')}`,
  'search?q=1&q=2',
  `search?q=${'9'.repeat(5000)}`,
  'blocks/../../package.json',
])('%s is answered with 404 or a page, and never with what was sent', async (path) => {
  const response = await fetch(explorer.url + path);
  const text = await response.text();
  expect([200, 400, 404]).toContain(response.status);
  expect(text).not.toContain('<script>');
  expect(response.headers.get('content-security-policy')).toContain("default-src 'none'");
});

test('tables of one network are not made to follow another', async () => {
  expect(await remaining()).toEqual([]);
  await checkNetwork(database, networkOf('regtest'));
  await expect(checkNetwork(database, networkOf('stagenet'))).rejects.toThrow(
    'the tables hold another network than stagenet',
  );
  expect(() => networkOf('nonsense')).toThrow('--network takes mainnet, testnet');
});

test('a node of another network does not empty the tables, at the start or later', async () => {
  expect(await remaining()).toEqual([]);
  const reverted = () => database.query('SELECT reverted FROM position');
  const before = await reverted();
  let isThere = true;
  /** A node of stagenet with its first block. */
  const rpc = (method: string): Promise<object> => {
    if (!isThere) return Promise.reject(new Error('no answer'));
    const header = { hash: networkOf('stagenet').genesisId };
    return Promise.resolve(method === 'get_block_count' ? { count: 1n } : { block_header: header });
  };
  const warnings: string[] = [];
  const newFollower = (): NodeFollower =>
    new NodeFollower({
      client: { rpc } as unknown as RpcClient,
      chain: new ChainTables({ database }),
      pool: { reset: async () => {}, added: async () => {}, removed: async () => {} },
      logger: { ...silentLogger, warn: (line) => void warnings.push(line) },
    });
  await expect(newFollower().start()).rejects.toThrow(WrongNetworkError);
  isThere = false;
  const late = newFollower();
  await late.start();
  isThere = true;
  await until(() => warnings.some((line) => line.includes('WrongNetworkError')));
  await late.stop();
  expect(await reverted()).toEqual(before);
});
