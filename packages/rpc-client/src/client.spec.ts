import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseBlock, parseTransaction, toHex } from '@monero-node/codec';
import { issue, recordedPool, recordedServer, type RecordedServer } from '@monero-node/rpc/testing';
import { RpcClient } from './client.ts';
import {
  RpcAnswerError,
  RpcCallError,
  RpcConnectionError,
  RpcError,
  RpcHttpError,
  RpcLoginError,
  RpcStatusError,
} from './errors.ts';
import type { TransportOptions } from './transport.ts';

const clients: RpcClient[] = [];
function clientOf(port: number, options: Partial<TransportOptions> = {}): RpcClient {
  const client = new RpcClient({ url: `http://127.0.0.1:${port}`, ...options });
  clients.push(client);
  return client;
}
afterEach(() => {
  for (const client of clients.splice(0)) client.close();
});

describe('a client of our server', () => {
  let server: RecordedServer;
  beforeAll(async () => {
    server = await recordedServer({}, { pool: recordedPool() });
  });
  afterAll(() => server.stop());
  const client = (): RpcClient => clientOf(server.port);

  test('JSON-RPC: integers are bigint, hashes bytes', async () => {
    const info = await client().rpc('get_info');
    expect(info.height).toBe(BigInt(server.chain.height));
    expect(toHex(info.top_block_hash)).toBe(toHex(server.chain.topId));
    expect(info.status).toBe('OK');
    const { block_header: header } = await client().rpc('get_block_header_by_height', {
      height: 83,
    });
    expect([header?.height, header?.num_txes]).toEqual([83n, 2n]);
    // One that a double can't hold.
    const { earliest_height: never } = await client().rpc('hard_fork_info', { version: 99 });
    expect(never).toBe(2n ** 64n - 1n);
  });

  test('parameters as a list, results that are one value', async () => {
    const id = await client().rpc('on_get_block_hash', [5n]);
    expect(toHex(id)).toBe(toHex(server.chain.store.blockMeta(5)?.id ?? new Uint8Array(0)));
  });

  test('a name and its alias are the same', async () => {
    const names = ['get_block', 'getblock'] as const;
    const blocks = await Promise.all(names.map((name) => client().rpc(name, { height: 83n })));
    expect(blocks[0]).toEqual(blocks[1]);
    expect(blocks[0]?.tx_hashes).toHaveLength(2);
    const { blob, block_header: header } = blocks[0] as NonNullable<(typeof blocks)[0]>;
    expect(toHex(parseBlock(blob).id)).toBe(toHex(header?.hash ?? new Uint8Array(0)));
  });

  test('JSON paths', async () => {
    const { tx_hashes: ids } = await client().rpc('get_block', { height: 83 });
    const { txs, missed_tx: missed } = await client().path('/get_transactions', {
      txs_hashes: [...ids.map(toHex), 'ab'.repeat(32)],
    });
    expect(txs.map((tx) => toHex(parseTransaction(tx.as_hex).id))).toEqual(ids.map(toHex));
    expect(txs[0]?.output_indices).toEqual([83n, 84n]);
    expect(missed.map(toHex)).toEqual(['ab'.repeat(32)]);
  });

  test('raw bytes in JSON', async () => {
    const { backlog } = await client().rpc('get_txpool_backlog');
    expect(backlog).toHaveLength(24);
    expect(Buffer.from(backlog).readBigUInt64LE(0)).toBe(
      BigInt(recordedPool().transactions()[0]?.weight ?? 0),
    );
    const { tx_hashes: joined } = await client().path('/get_transaction_pool_hashes.bin');
    expect(joined.map(toHex)).toEqual(
      recordedPool()
        .transactions()
        .map(({ id }) => toHex(id)),
    );
  });

  test('one of two kinds', async () => {
    const counts = { amounts: [0], from_height: 80, to_height: 88, cumulative: false };
    const list = await client().rpc('get_output_distribution', { ...counts, binary: false });
    expect(list.distributions[0]?.distribution).toEqual([1n, 1n, 1n, 5n, 1n, 3n, 1n, 1n, 1n]);
    const packed = await client().rpc('get_output_distribution', counts);
    expect(packed.distributions[0]?.distribution).toHaveLength(9 * 8);
  });

  test('binary paths', async () => {
    const full = await client().binary('/get_blocks.bin', { start_height: 83n });
    expect(full.start_height).toBe(83n);
    const [block] = full.blocks;
    expect(parseBlock(block?.block ?? new Uint8Array(0)).block.txHashes).toHaveLength(2);
    const blob = block?.txs?.[0];
    expect(blob).toBeInstanceOf(Uint8Array);
    const pruned = await client().binary('/getblocks.bin', { start_height: 83, prune: true });
    expect(pruned.blocks[0]?.txs?.[0]).toHaveProperty('blob');
    const ids = await client().binary('/get_hashes.bin', {
      block_ids: [server.chain.store.blockMeta(0)?.id ?? new Uint8Array(0)],
    });
    expect(ids.m_block_ids).toHaveLength(89);
    const outs = await client().binary('/get_outs.bin', { outputs: [{ amount: 0, index: 3 }] });
    expect(outs.outs[0]?.txid).toHaveLength(32);
  });

  test('the methods of later days are there too', async () => {
    const version = await client().rpc('get_version');
    expect(version.hard_forks.map((fork) => fork.hf_version)).toEqual([1, 16]);
  });

  test('JSON-RPC errors', async () => {
    const call = client().rpc('get_block_header_by_height', { height: 500 });
    await expect(call).rejects.toThrow(RpcCallError);
    await expect(call).rejects.toMatchObject({
      code: -2,
      message: 'Requested block height: 500 greater than current top block height: 88',
    });
  });

  test('a status other than OK', async () => {
    const call = client().path('/get_outs', { outputs: [{ amount: 0, index: 5000 }] });
    await expect(call).rejects.toThrow(RpcStatusError);
    await expect(call).rejects.toMatchObject({ status: 'Failed', answer: { outs: [] } });
  });

  test('what is not served', async () => {
    const restricted = clientOf(server.restrictedPort);
    await expect(restricted.path('/get_peer_list')).rejects.toMatchObject({ status: 404 });
    await expect(restricted.path('/get_peer_list')).rejects.toThrow(RpcHttpError);
    await expect(restricted.rpc('get_bans')).rejects.toMatchObject({ code: -32601 });
  });

  test('requests that do not fit their table are not sent', async () => {
    const wrong = { height: -1 } as { height: number };
    await expect(client().rpc('get_block', wrong)).rejects.toThrow('u64');
    const unknown = { heihgt: 1 } as object;
    await expect(client().rpc('get_block', unknown)).rejects.toThrow('no field heihgt');
    await expect(client().rpc('nonsense' as 'get_info')).rejects.toThrow('no method nonsense');
    const blocks = { block_ids: ['x'] } as unknown as { block_ids: Uint8Array[] };
    await expect(client().binary('/get_blocks.bin', blocks)).rejects.toThrow('bytes');
  });

  test('many calls share one connection, in order', async () => {
    const one = client();
    const heights = await Promise.all(
      Array.from({ length: 20 }, (_, height) =>
        one.rpc('get_block_header_by_height', { height }).then((answer) => answer.block_header),
      ),
    );
    expect(heights.map((header) => header?.height)).toEqual(heights.map((_, i) => BigInt(i)));
    const { rpc_connections_count: connections } = await one.rpc('get_info');
    expect(connections).toBe(1n);
  });
});

describe('a client of a server with a login', () => {
  const login = { username: 'somebody', password: 'ä:"b\\c' };
  let server: RecordedServer;
  beforeAll(async () => {
    server = await recordedServer({ login });
  });
  afterAll(() => server.stop());

  test('is let in, call after call', async () => {
    const client = clientOf(server.port, { login });
    for (let i = 0; i < 3; i++) expect((await client.path('/get_height')).height).toBe(89n);
    expect((await client.rpc('get_block_count')).count).toBe(89n);
    expect((await client.binary('/get_hashes.bin', hashes(server))).current_height).toBe(89n);
  });

  test('is let in again over a new connection', async () => {
    const client = clientOf(server.port, { login });
    await client.path('/get_height');
    client.close();
    expect((await client.path('/get_height')).height).toBe(89n);
  });

  test.each([[undefined], [{ ...login, password: 'x' }], [{ ...login, username: 'x' }]])(
    '%j is not let in',
    async (other) => {
      const client = clientOf(server.port, other === undefined ? {} : { login: other });
      await expect(client.rpc('get_info')).rejects.toThrow(RpcLoginError);
      await expect(client.path('/get_info')).rejects.toThrow(RpcLoginError);
    },
  );
});

describe('a client of a server with TLS', () => {
  let dir: string;
  let server: RecordedServer;
  let certificate: string;
  beforeAll(async () => {
    dir = mkdtempSync(join(tmpdir(), 'rpc-client-'));
    const own = await issue('127.0.0.1');
    ({ certificate } = own);
    const files = { privateKey: join(dir, 'key'), certificate: join(dir, 'certificate') };
    writeFileSync(files.privateKey, own.key);
    writeFileSync(files.certificate, own.certificate);
    server = await recordedServer({ tls: { mode: 'enabled', directory: dir, ...files } });
  });
  afterAll(async () => {
    await server.stop();
    rmSync(dir, { recursive: true });
  });
  const secure = (tls?: TransportOptions['tls']): RpcClient =>
    clientOf(server.port, {
      url: `https://localhost:${server.port}`,
      ...(tls === undefined ? {} : { tls }),
    });

  test('takes a certificate that it trusts, or any', async () => {
    const trusting = secure({ ca: certificate, checkServerIdentity: () => undefined });
    expect((await trusting.path('/get_height')).height).toBe(89n);
    const careless = secure({ rejectUnauthorized: false });
    expect((await careless.path('/get_height')).height).toBe(89n);
  });

  test('refuses others, and does not fall back to plain text', async () => {
    await expect(secure().path('/get_height')).rejects.toThrow(RpcConnectionError);
    await expect(clientOf(server.port).path('/get_height')).rejects.toThrow(RpcConnectionError);
  });
});

const hashes = ({ chain }: RecordedServer) => ({
  block_ids: [chain.store.blockMeta(0)?.id ?? new Uint8Array(0)],
});

describe('a client of a bad server', () => {
  let server: Server;
  let port: number;
  let respond: (request: IncomingMessage, response: ServerResponse) => void;
  beforeAll(async () => {
    server = createServer((request, response) => respond(request, response));
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    port = (server.address() as AddressInfo).port;
  });
  afterAll(() => {
    server.closeAllConnections();
    server.close();
  });
  const answer = (text: string) => {
    respond = (_request, response) => response.end(text);
  };

  test.each([
    '<html>',
    '[]',
    '{"jsonrpc":"2.0","id":0}',
    '{"jsonrpc":"2.0","id":0,"result":5}',
    '{"jsonrpc":"2.0","id":0,"result":{"height":"x"}}',
    '{"jsonrpc":"2.0","id":0,"result":{"top_block_hash":"xy"}}',
    '{"jsonrpc":"2.0","id":0,"result":{"top_block_hash":5}}',
  ])('%s is no answer', async (text) => {
    answer(text);
    await expect(clientOf(port).rpc('get_info')).rejects.toThrow(RpcAnswerError);
  });

  test('a binary answer that is none', async () => {
    answer('{}');
    await expect(clientOf(port).binary('/get_blocks.bin')).rejects.toThrow(RpcAnswerError);
  });

  test('servers of other versions send less and more', async () => {
    answer('{"jsonrpc":"2.0","id":0,"result":{"height":7,"novel":{"a":1},"status":"OK"}}');
    const info = await clientOf(port).rpc('get_info');
    expect(info).toMatchObject({ height: 7n, difficulty: 0n, mainnet: false, version: '' });
    expect(info).not.toHaveProperty('novel');
    answer('{"jsonrpc":"2.0","id":0,"result":{"status":"OK"}}');
    const { block_header: header } = await clientOf(port).rpc('get_last_block_header');
    expect(header).toMatchObject({ height: 0n, hash: new Uint8Array(0) });
  });

  test('an error without code or message', async () => {
    answer('{"jsonrpc":"2.0","id":0,"error":{}}');
    await expect(clientOf(port).rpc('get_info')).rejects.toMatchObject({ code: 0, message: '' });
  });

  test('an answer that is too large', async () => {
    answer('x'.repeat(2000));
    const call = clientOf(port, { maxAnswer: 1000 }).path('/get_info');
    await expect(call).rejects.toThrow(RpcConnectionError);
    await expect(call).rejects.toThrow('more than 1000 bytes');
  });

  test('no answer in time, and the next call is served', async () => {
    respond = () => undefined;
    const client = clientOf(port, { timeout: 100 });
    await expect(client.path('/get_info')).rejects.toThrow('no answer in time');
    answer('{"height":5,"status":"OK"}');
    expect((await client.path('/get_info')).height).toBe(5n);
  });

  test('a connection that breaks', async () => {
    respond = (request) => request.socket.destroy();
    await expect(clientOf(port).path('/get_info')).rejects.toThrow(RpcConnectionError);
    await expect(clientOf(1).path('/get_info')).rejects.toThrow(RpcError);
  });

  test('a challenge that never ends', async () => {
    respond = (_request, response) => {
      const challenge = 'Digest qop="auth",algorithm=MD5,realm="x",nonce="bm9uY2U=",stale=true';
      response.writeHead(401, { 'WWW-Authenticate': challenge }).end();
    };
    const client = clientOf(port, { login: { username: 'a', password: 'b' } });
    await expect(client.path('/get_info')).rejects.toThrow(RpcLoginError);
  });

  test('addresses that are none', () => {
    expect(() => new RpcClient({ url: 'nonsense' })).toThrow('Invalid URL');
    expect(() => new RpcClient({ url: 'ftp://127.0.0.1' })).toThrow('neither http nor https');
  });
});
