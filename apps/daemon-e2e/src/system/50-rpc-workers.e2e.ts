import { once } from 'node:events';
import { createHash } from 'node:crypto';
import { statSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { platform } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { chainFacts } from '../chain/fixture.ts';
import { OUR_DAEMON } from '../harness/binaries.ts';
import { childProcesses } from '../harness/child-processes.ts';
import type { Json, JsonObject } from '../harness/json.ts';
import type { RunningNode } from '../harness/monerod.ts';
import { startOurDaemon } from '../harness/our-daemon.ts';
import { SteadyClient } from '../harness/steady-client.ts';
import { freePorts } from '../harness/ports.ts';
import { ManagedProcess } from '../harness/processes.ts';
import { newFolder } from '../harness/run-folder.ts';
import { waitUntil } from '../harness/wait.ts';

const WORKERS = 2;
const BLOCKS = 30;
/** Rounds in which a worker is killed and ten blocks are replaced. */
const ROUNDS = process.env['E2E_LONG'] === '1' ? 20 : 4;
const CLIENTS = 6;
const address = chainFacts().wallets[0]?.address ?? '';

/** Options that differ between two starts of a node. */
const CHANGING = new Set([
  'start_time',
  'free_space',
  'rpc_connections_count',
  'database_size',
  'adjusted_time',
]);

/** Calls that workers answer, and some that they pass on. */
const CALLS: readonly (readonly [method: string, params: Json])[] = [
  ['get_info', {}],
  ['get_block_count', {}],
  ['get_last_block_header', {}],
  ['get_block_header_by_height', { height: 7 }],
  ['get_block_headers_range', { start_height: 1, end_height: 20 }],
  ['get_block', { height: 9 }],
  ['hard_fork_info', {}],
  ['get_fee_estimate', {}],
  ['get_version', {}],
  ['get_output_histogram', { amounts: [0] }],
  ['get_output_distribution', { amounts: [0], cumulative: true, binary: false }],
  ['get_coinbase_tx_sum', { height: 1, count: 10 }],
  ['get_txpool_backlog', {}],
  ['get_alternate_chains', {}],
  ['get_bans', {}],
  ['sync_info', {}],
];

const start = (workers: number, dataDir?: string): Promise<RunningNode> =>
  startOurDaemon({
    dataDir,
    offline: true,
    fixedDifficulty: 1,
    extra: ['--rpc-workers', String(workers), '--rpc-max-connections-per-private-ip', '60'],
  });

async function generate(node: RunningNode, count: number): Promise<void> {
  const params = { amount_of_blocks: count, wallet_address: address, starting_nonce: 0 };
  try {
    await node.rpc.call('generateblocks', params);
  } catch (error) {
    // An answer without a message means that the log has the reason.
    throw new Error(`${String(error)}\n${node.process.tail()}`, { cause: error });
  }
}

async function answers(node: RunningNode): Promise<JsonObject[]> {
  const all: JsonObject[] = [];
  for (const [method, params] of CALLS) {
    const answer = await node.rpc.call(method, params);
    all.push(Object.fromEntries(Object.entries(answer).filter(([name]) => !CHANGING.has(name))));
  }
  return all;
}

const silentHost = (index: number): string => `127.0.3.${1 + (index % 5)}`;

/** Opens connections that say nothing. Resolves when they are there. */
async function openSilent(port: number, count: number): Promise<Socket[]> {
  const sockets: Socket[] = [];
  for (let i = 0; i < count; i++) {
    const socket = connect({ port, host: '127.0.0.1', localAddress: silentHost(i) });
    socket.on('error', () => undefined).resume();
    sockets.push(socket);
    await once(socket, 'connect');
  }
  return sockets;
}

/** Asks on a new connection. Returns the head of the answer, empty when the connection was closed. */
async function askOnce(port: number, request: string): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.setEncoding('latin1').on('error', () => undefined);
  let text = '';
  socket.on('data', (more: string) => (text += more));
  socket.write(request);
  await once(socket, 'close');
  return text;
}

const onLinux = platform() === 'linux' ? describe : describe.skip;

onLinux('worker processes of the RPC', () => {
  let node: RunningNode;
  const workers = (): number[] => childProcesses(node.process.pid);

  beforeAll(async () => {
    node = await start(WORKERS);
    await waitUntil('the workers', () => Promise.resolve(workers().length === WORKERS));
    await new Promise((resolve) => setTimeout(resolve, 2000));
    await generate(node, BLOCKS);
  }, 120_000);

  afterAll(() => node.stop());

  test('whoever has seen a block finds it on every new connection', async () => {
    for (let i = 0; i < 10; i++) {
      await generate(node, 1);
      const { height } = await node.tip();
      const seen = await Promise.all(
        Array.from({ length: 8 }, async () => {
          const answer = await fetch(`http://127.0.0.1:${node.rpc.port}/get_height`, {
            headers: { connection: 'close' },
          });
          return ((await answer.json()) as { height: number }).height;
        }),
      );
      expect(seen).toEqual(seen.map(() => height));
    }
  }, 60_000);

  test('workers know the size of the database after each block', async () => {
    const file = join(node.dataDir, 'fake', 'chain', 'data.mdb');
    for (let i = 0; i < 5; i++) {
      await generate(node, 1);
      const headers = { connection: 'close' };
      const answer = await fetch(`http://127.0.0.1:${node.rpc.port}/get_info`, { headers });
      const { database_size } = (await answer.json()) as { database_size: number };
      expect(database_size).toBe(statSync(file).size);
    }
  }, 60_000);

  test('clients live through killed workers and replaced blocks, and never see the chain go back', async () => {
    const clients = Array.from({ length: CLIENTS }, () => new SteadyClient(node.rpc.port));
    let pops = 0;
    for (let round = 0; round < ROUNDS; round++) {
      const before = workers();
      const [victim = 0] = before;
      process.kill(victim, 'SIGKILL');
      for (const client of clients) client.allowLower(true);
      await node.rpc.post('/pop_blocks', '{"nblocks":10}', 'application/json');
      pops++;
      await generate(node, 11);
      for (const client of clients) client.allowLower(false);
      await waitUntil('another worker', () =>
        Promise.resolve(workers().length === WORKERS && !workers().includes(victim)),
      );
      await generate(node, 3);
      await new Promise((resolve) => setTimeout(resolve, 1000));
    }
    const seen = await Promise.all(clients.map((client) => client.stop()));
    const sum = (of: (one: (typeof seen)[number]) => number): number =>
      seen.reduce((total, one) => total + of(one), 0);
    expect(pops).toBe(ROUNDS);
    expect(sum(({ goneBack }) => goneBack)).toBe(0);
    // Of each killed worker, at most the connections that it had.
    expect(sum(({ broken }) => broken)).toBeLessThanOrEqual(ROUNDS * CLIENTS);
    expect(Math.min(...seen.map((one) => one.answers))).toBeGreaterThan(20 * ROUNDS);
  }, 300_000);

  test('a worker that hangs is left out, and replaced without a block', async () => {
    const [victim = 0] = workers();
    const isSaid = (line: string) => () =>
      Promise.resolve(node.process.tail().includes(`RPC worker ${victim} ${line}`));
    process.kill(victim, 'SIGSTOP');
    await waitUntil('the silence to be noticed', isSaid('does not answer'));
    const request = 'GET /get_height HTTP/1.0\r\n\r\n';
    for (let i = 0; i < 8; i++) expect(await askOnce(node.rpc.port, request)).toContain('200 Ok');
    await waitUntil('its end', isSaid('has ended (signal SIGKILL)'));
    await waitUntil('another worker', () => Promise.resolve(workers().length === WORKERS));
    expect(workers()).not.toContain(victim);
  }, 60_000);

  test('health, the web page and the counters of methods are those of the node', async () => {
    const url = `http://127.0.0.1:${node.rpc.port}`;
    expect((await fetch(`${url}/health/live`)).status).toBe(200);
    const page = await fetch(url);
    expect([page.status, page.headers.get('content-type')]).toEqual([
      200,
      'text/html; charset=utf-8',
    ]);
    await new Promise((resolve) => setTimeout(resolve, 200));
    const { data } = (await node.rpc.call('rpc_access_tracking', {})) as unknown as {
      data: { rpc: string; count: number }[];
    };
    const used = data.find(({ rpc }) => rpc === 'get_info');
    expect(used?.count).toBeGreaterThan(20 * ROUNDS * CLIENTS);
  }, 60_000);

  test('calls that workers answer are logged once the log levels ask for it', async () => {
    // New connections: the kept one may be from a time without workers.
    const ask = async (): Promise<void> => {
      const headers = { connection: 'close' };
      const asked = await fetch(`http://127.0.0.1:${node.rpc.port}/get_hashes.bin`, { headers });
      expect(asked.status).toBe(400);
      await asked.arrayBuffer();
    };
    const isLogged = async (): Promise<boolean> => {
      await ask();
      return node.process.tail().includes(' /get_hashes.bin: 400, ');
    };
    for (let i = 0; i < 5; i++) expect(await isLogged()).toBe(false);
    const categories = JSON.stringify({ categories: 'net.http:INFO' });
    await node.rpc.post('/set_log_categories', categories, 'application/json');
    await waitUntil('a logged call', isLogged);
  }, 60_000);

  test('the answers are those of a node without workers', async () => {
    const byWorkers = await answers(node);
    const { dataDir } = node;
    expect(await node.stop()).toBe(0);
    node = await start(0, dataDir);
    expect(workers()).toEqual([]);
    expect(byWorkers).toEqual(await answers(node));
  }, 120_000);
});

onLinux('a node with workers', () => {
  let node: RunningNode | undefined;
  let guarded: ManagedProcess | undefined;
  afterEach(async () => {
    await Promise.all([node?.stop(), guarded?.stop()]);
    node = undefined;
    guarded = undefined;
  });

  test('lets every newcomer in while silent connections hold all places', async () => {
    node = await start(WORKERS);
    await waitUntil('the workers', async () => {
      await node?.rpc.call('get_info', {});
      return childProcesses(node?.process.pid ?? 0).length === WORKERS;
    });
    const { port } = node.rpc;
    const silent = await openSilent(port, 130);
    const request = 'GET /get_height HTTP/1.0\r\n\r\n';
    for (let i = 0; i < 100; i++) expect(await askOnce(port, request)).toContain('200 Ok');
    const more = await openSilent(port, 40);
    const together = Array.from({ length: 20 }, () => askOnce(port, request));
    for (const answer of await Promise.all(together)) expect(answer).toContain('200 Ok');
    for (const socket of [...silent, ...more]) socket.destroy();
  }, 120_000);

  test('accepts a nonce on whatever worker its next connection comes to, once', async () => {
    const [port = 0, p2p = 0] = await freePorts(2);
    const dataDir = newFolder('login');
    const ports = ['--rpc-bind-port', String(port), '--p2p-bind-port', String(p2p), '--no-zmq'];
    const common = ['--regtest', '--offline', '--non-interactive', '--data-dir', dataDir];
    guarded = await ManagedProcess.start({
      name: 'login',
      program: process.execPath,
      cwd: dataDir,
      args: [OUR_DAEMON, ...common, ...ports, '--rpc-login', 'user:secret', '--rpc-workers', '2'],
    });
    await waitUntil('the node', async () => {
      const alive = await fetch(`http://127.0.0.1:${port}/health/live`).catch(() => undefined);
      return alive?.status === 200 && childProcesses(guarded?.pid ?? 0).length === 2;
    });
    for (let i = 0; i < 8; i++) {
      const first = await askOnce(port, 'GET /get_height HTTP/1.0\r\n\r\n');
      const nonce = /nonce="([^"]+)"/.exec(first)?.[1] ?? '';
      const md5 = (text: string): string => createHash('md5').update(text).digest('hex');
      const [secret, asked] = [md5('user:monero-rpc:secret'), md5('GET:/get_height')];
      const response = md5(`${secret}:${nonce}:00000001:abc:auth:${asked}`);
      const header =
        `Authorization: Digest username="user", realm="monero-rpc", nonce="${nonce}", uri="/get_height", ` +
        `algorithm=MD5, qop=auth, nc=00000001, cnonce="abc", response="${response}"`;
      const again = `GET /get_height HTTP/1.0\r\n${header}\r\n\r\n`;
      expect(await askOnce(port, again)).toContain('200 Ok');
      // A replay reaches both workers in turn.
      for (let replay = 0; replay < 3; replay++)
        expect(await askOnce(port, again)).toMatch(/ 401 [^]*stale=true/);
    }
  }, 120_000);
});
