import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { silentLogger } from '@monero-node/base';
import { decodeStorage, encodeStorage, type StorageSection } from '@monero-node/codec';
import { RpcOptionsError } from '../errors.ts';
import { METHODS } from '../methods/index.ts';
import { fakeP2p } from '../testing/fake-node.ts';
import { recordedServer, type RecordedServer } from '../testing/recorded-server.ts';
import { ask } from '../testing/http.ts';
import { parseUpstream } from './address.ts';
import { Bootstrap } from './bootstrap.ts';

/** Recorded from monerod 0.18.0.0, which forwards exactly these. */
const FORWARDED_PATHS = [
  '/get_height',
  '/getheight',
  '/get_info',
  '/getinfo',
  '/get_blocks.bin',
  '/getblocks.bin',
  '/get_blocks_by_height.bin',
  '/getblocks_by_height.bin',
  '/get_hashes.bin',
  '/gethashes.bin',
  '/get_o_indexes.bin',
  '/get_outs.bin',
  '/get_output_distribution.bin',
  '/get_transactions',
  '/gettransactions',
  '/get_alt_blocks_hashes',
  '/is_key_image_spent',
  '/send_raw_transaction',
  '/sendrawtransaction',
  '/get_transaction_pool',
  '/get_transaction_pool_hashes.bin',
  '/get_transaction_pool_hashes',
  '/get_transaction_pool_stats',
  '/get_limit',
  '/get_outs',
];
const FORWARDED_METHODS = [
  'get_info',
  'get_block_template',
  'getblocktemplate',
  'get_last_block_header',
  'getlastblockheader',
  'get_block_header_by_hash',
  'getblockheaderbyhash',
  'get_block_header_by_height',
  'getblockheaderbyheight',
  'get_block_headers_range',
  'getblockheadersrange',
  'get_block',
  'getblock',
  'hard_fork_info',
  'get_output_histogram',
  'get_version',
  'get_fee_estimate',
  'get_txpool_backlog',
  'get_output_distribution',
];

/** Another daemon: answers everything with OK and remembers what it was asked. */
class Upstream {
  readonly asked: string[] = [];
  info: Record<string, unknown> = { height: 5000, target_height: 0, status: 'OK' };
  answer: Record<string, unknown> = { status: 'OK', height: 4242, untrusted: false };
  readonly #server: Server;

  constructor() {
    this.#server = createServer((request, response) => {
      const chunks: Buffer[] = [];
      request.on('data', (chunk: Buffer) => chunks.push(chunk));
      request.on('end', () => response.end(this.#reply(request.url ?? '', Buffer.concat(chunks))));
    });
  }

  async start(): Promise<string> {
    this.#server.listen(0, '127.0.0.1');
    await once(this.#server, 'listening');
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  stop(): void {
    this.#server.close();
    this.#server.closeAllConnections();
  }

  #reply(url: string, body: Buffer): string | Uint8Array {
    if (url === '/json_rpc') {
      const { method, id } = JSON.parse(body.toString()) as { method: string; id: unknown };
      this.asked.push(method);
      const result = method === 'get_info' ? this.info : this.answer;
      return JSON.stringify({ id, jsonrpc: '2.0', result });
    }
    this.asked.push(url);
    if (/info$/.test(url)) return JSON.stringify(this.info);
    if (!url.endsWith('.bin') || url.includes('pool')) return JSON.stringify(this.answer);
    const section: StorageSection = new Map();
    section.set('current_height', { type: 'uint64', value: 1n << 63n });
    section.set('blob', { type: 'string', value: Uint8Array.of(0, 255, 34) });
    const status = Buffer.from(String(this.answer['status']));
    section.set('status', { type: 'string', value: status });
    section.set('untrusted', { type: 'bool', value: false });
    return encodeStorage(section);
  }
}

/** Names and paths that this node knows at all. */
const served = new Set(METHODS.flatMap(({ names = [], paths = [] }) => [...names, ...paths]));

describe('calls answered by another daemon', () => {
  let upstream: Upstream;
  let address: string;
  let node: RecordedServer;
  let now = 1000;
  beforeEach(async () => {
    upstream = new Upstream();
    address = await upstream.start();
    now = 1000;
    const templates = { create: () => Promise.reject(new Error('another daemon makes them')) };
    node = await recordedServer({ bootstrapDaemon: { address } }, { now: () => now, templates });
  });
  afterEach(async () => {
    await node.stop();
    upstream.stop();
  });

  const json = async (path: string, request?: unknown): Promise<Record<string, unknown>> =>
    JSON.parse((await node.path(path, request)).body.toString()) as Record<string, unknown>;
  const result = async (method: string, restricted = false): Promise<unknown> =>
    ((await node.rpc(method, {}, restricted)) as { result?: unknown }).result;

  test('the calls to be forwarded are those that monerod forwards', () => {
    const forwarded = METHODS.filter(({ isForwarded }) => isForwarded);
    const paths = forwarded.flatMap((method) => [
      ...(method.paths ?? []),
      ...(method.binaryPaths ?? []),
    ]);
    expect(new Set(paths)).toEqual(new Set(FORWARDED_PATHS));
    expect(new Set(forwarded.flatMap(({ names }) => names ?? []))).toEqual(
      new Set(FORWARDED_METHODS),
    );
  });

  test('forwards the paths and methods that monerod forwards, marked as untrusted', async () => {
    expect(await json('/get_height')).toEqual({ ...upstream.answer, untrusted: true });
    expect(upstream.asked).toEqual(['/getinfo', '/get_height']);
    for (const path of FORWARDED_PATHS) {
      if (path.endsWith('.bin') || path.includes('info') || !served.has(path)) continue;
      expect(await json(path)).toEqual({ ...upstream.answer, untrusted: true });
    }
    for (const method of FORWARDED_METHODS) {
      if (method === 'get_info' || !served.has(method)) continue;
      expect(await result(method)).toEqual({ ...upstream.answer, untrusted: true });
      expect(upstream.asked.at(-1)).toBe(method);
    }
    expect(upstream.asked.filter((path) => path === '/getinfo')).toHaveLength(1);
  });

  test('portable storage keeps its values', async () => {
    const answer = await ask(node.port, {
      path: '/get_hashes.bin',
      body: encodeStorage(new Map()),
    });
    expect(answer.type).toBe('application/octet-stream');
    const section = decodeStorage(answer.body);
    expect(section.get('current_height')).toEqual({ type: 'uint64', value: 1n << 63n });
    expect(section.get('blob')).toEqual({ type: 'string', value: Uint8Array.of(0, 255, 34) });
    expect(section.get('untrusted')).toEqual({ type: 'bool', value: true });
  });

  test('get_info shows both', async () => {
    const expected = {
      height: 5000,
      status: 'OK',
      bootstrap_daemon_address: address,
      height_without_bootstrap: 89,
      was_bootstrap_ever_used: true,
      untrusted: true,
    };
    expect(await json('/get_info')).toMatchObject(expected);
    expect(await result('get_info')).toMatchObject(expected);
  });

  test('other calls are answered by this node or refused', async () => {
    expect(await json('/get_net_stats')).toMatchObject({ untrusted: false });
    expect(await result('get_bans')).toMatchObject({ untrusted: false });
    expect(upstream.asked).toEqual([]);
    const unsupported = 'This command is unsupported for bootstrap daemon';
    expect(await node.rpc('get_block_count')).toEqual({
      id: 0,
      jsonrpc: '2.0',
      result: { count: 0, status: unsupported, untrusted: false },
    });
    expect(await result('on_get_block_hash')).toBe(unsupported);
    expect(await node.rpc('submit_block', ['00'])).toEqual({
      id: 0,
      jsonrpc: '2.0',
      error: { code: -20, message: unsupported },
    });
    expect((await node.path('/nonsense')).status).toBe(404);
    expect(await node.rpc('nonsense')).toMatchObject({ error: { code: -32601 } });
    expect((await node.path('/json_rpc')).status).toBe(200);
  });

  test('the restricted port forwards only the methods that it serves', async () => {
    expect(await result('get_version', true)).toMatchObject({ height: 4242 });
    upstream.asked.length = 0;
    expect(await node.rpc('sync_info', {}, true)).toMatchObject({ error: { code: -32601 } });
    expect(upstream.asked).toEqual([]);
  });

  test('where it fails, this node answers, marked as untrusted too', async () => {
    upstream.answer = { status: 'BUSY' };
    expect(await json('/get_height')).toMatchObject({ height: 89, status: 'OK', untrusted: true });
    expect(await result('get_version')).toMatchObject({ release: false, untrusted: true });
    upstream.stop();
    expect(await json('/get_height')).toMatchObject({ height: 89, untrusted: true });
    now += 31;
    expect(await json('/get_height')).toMatchObject({ height: 89 });
  });

  test('it is used while more than ten blocks ahead, and no longer once this node has caught up', async () => {
    upstream.info['height'] = 100;
    expect(await json('/get_height')).toMatchObject({ height: 4242 });
    upstream.info['height'] = 99;
    now += 30;
    expect(await json('/get_height')).toMatchObject({ height: 4242 });
    now += 1;
    expect(await json('/get_height')).toMatchObject({ height: 89, untrusted: false });
    upstream.info['height'] = 9999;
    now += 1000;
    expect(await json('/get_height')).toMatchObject({ height: 89 });
    expect(await json('/get_info')).toMatchObject({
      bootstrap_daemon_address: address,
      was_bootstrap_ever_used: true,
      untrusted: false,
    });
    expect(await json('/set_bootstrap_daemon', { address })).toEqual({ status: 'OK' });
    expect(await json('/get_height')).toMatchObject({ height: 4242 });
  });

  test('a call sets and removes it', async () => {
    expect(await json('/set_bootstrap_daemon', {})).toEqual({ status: 'OK' });
    expect(await json('/get_height')).toMatchObject({ height: 89 });
    expect(await json('/get_info')).toMatchObject({ bootstrap_daemon_address: '' });
    const failed = { status: 'Failed to set bootstrap daemon' };
    expect(await json('/set_bootstrap_daemon', { address: 'http://a b/' })).toEqual(failed);
    expect(await json('/set_bootstrap_daemon', { address, proxy: 'localhost:9050' })).toEqual(
      failed,
    );
    expect((await ask(node.restrictedPort, { path: '/set_bootstrap_daemon' })).status).toBe(404);
    expect(upstream.asked).toEqual([]);
  });
});

test('with a login', async () => {
  const login = { username: 'u', password: 'p' };
  const other = await recordedServer({ login });
  const node = await recordedServer();
  await node.chain.popBlocks(20);
  const set = { address: `127.0.0.1:${other.port}`, ...login };
  await node.path('/set_bootstrap_daemon', set);
  const answer = JSON.parse((await node.path('/get_height')).body.toString()) as unknown;
  expect(answer).toMatchObject({ height: 89, untrusted: true });
  await node.stop();
  await other.stop();
});

test('auto uses public nodes of the peer list, and another one when one fails', async () => {
  const upstream = new Upstream();
  const port = Number((await upstream.start()).split(':').at(-1));
  const p2p = fakeP2p();
  const peer = (rpcPort: number) => ({ host: '127.0.0.1', rpcPort });
  p2p.peerLists = () => ({ white: [peer(0), peer(1)] as never, gray: [] });
  const bootstrap = new Bootstrap({
    p2p,
    height: () => 1,
    now: () => 0,
    logger: silentLogger,
    proxy: undefined,
  });
  expect(bootstrap.set('auto')).toBe(true);
  expect(await bootstrap.active()).toBe(false);
  expect(bootstrap.address).toBe('auto');
  p2p.peerLists = () => ({ white: [peer(port)] as never, gray: [] });
  expect(await bootstrap.active()).toBe(true);
  expect(bootstrap.address).toBe(`127.0.0.1:${port}`);
  bootstrap.stop();
  expect(await bootstrap.active()).toBe(false);
  upstream.stop();
});

test.each<[text: string, expected: object | undefined]>([
  ['127.0.0.1:18081', { host: '127.0.0.1', port: 18_081, tls: 'autodetect' }],
  ['node.example', { host: 'node.example', port: 80, tls: 'autodetect' }],
  ['http://node.example:18089/', { host: 'node.example', port: 18_089, tls: 'disabled' }],
  ['https://node.example', { host: 'node.example', port: 443, tls: 'enabled' }],
  ['[::1]:18081', { host: '::1', port: 18_081 }],
  ['', undefined],
  ['http://a b/', undefined],
  ['host:0', undefined],
  ['host:99999', undefined],
  ['ftp://host', undefined],
  ['host/path', undefined],
])('address %j', (text, expected) => {
  if (expected === undefined) expect(parseUpstream(text)).toBeUndefined();
  else expect(parseUpstream(text)).toMatchObject(expected);
});

test('a malformed address fails the start', async () => {
  await expect(recordedServer({ bootstrapDaemon: { address: 'a b' } })).rejects.toThrow(
    RpcOptionsError,
  );
});
