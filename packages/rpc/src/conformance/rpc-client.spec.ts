import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseBlock, parseTransaction, toHex } from '@monero-node/codec';
import { verifyTransaction } from '@monero-node/consensus';
import { createBackend } from '@monero-node/crypto';
import {
  createFetchTransport,
  fetchRings,
  RpcCallError,
  RpcClient,
  RpcConnectionError,
  RpcHttpError,
  RpcLoginError,
  RpcStatusError,
  type HttpOptions,
  type RpcTransport,
} from '@monero-node/rpc-client';
import { createNodeTransport, type NodeTransportOptions } from '@monero-node/rpc-client/node';
import { issue, recordedPool, recordedServer, type RecordedServer } from '../testing/index.ts';

const clients: RpcClient[] = [];
function clientOver(transport: RpcTransport): RpcClient {
  const client = new RpcClient({ transport });
  clients.push(client);
  return client;
}
afterEach(() => {
  for (const client of clients.splice(0)) client.close();
});

type Connect = (options: HttpOptions) => RpcTransport;
const TRANSPORTS: [name: string, connect: Connect][] = [
  ['fetch', createFetchTransport],
  ['node:http', createNodeTransport],
];

describe.each(TRANSPORTS)('a client over %s', (_name, connect) => {
  const clientOf = (port: number): RpcClient =>
    clientOver(connect({ url: `http://127.0.0.1:${port}` }));
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

  test('what one answer says is given to the next call, as bytes or as hex', async () => {
    const { top_block_hash: top } = await client().rpc('get_info');
    const { block_header: header, tx_hashes: ids } = await client().rpc('get_block', { hash: top });
    expect(header.height).toBe(88n);
    const again = await client().rpc('get_block_header_by_hash', { hash: toHex(header.prev_hash) });
    const { tx_hashes: hashes } = await client().rpc('get_block', { height: 83 });
    const { txs } = await client().path('/get_transactions', { txs_hashes: [...hashes, ...ids] });
    expect(txs.map((tx) => tx.tx_hash)).toEqual([...hashes, ...ids].map(toHex));
    const { blocks } = await client().binary('/get_blocks.bin', {
      block_ids: [toHex(again.block_header?.hash ?? top), server.chain.network.genesisId],
    });
    expect(blocks).toHaveLength(2);
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
    expect([block?.block_weight, typeof pruned.blocks[0]?.block_weight]).toEqual([0n, 'bigint']);
    const ids = await client().binary('/get_hashes.bin', {
      block_ids: [server.chain.store.blockMeta(0)?.id ?? new Uint8Array(0)],
    });
    expect(ids.m_block_ids).toHaveLength(89);
    const outs = await client().binary('/get_outs.bin', { outputs: [{ amount: 0, index: 3 }] });
    expect(outs.outs[0]?.txid).toHaveLength(32);
  });

  test('a transaction is verified with the ring members that a node returns', async () => {
    const { tx_hashes: ids } = await client().rpc('get_block', { height: 83 });
    const { txs } = await client().path('/get_transactions', { txs_hashes: ids });
    expect(txs).toHaveLength(2);
    for (const { as_hex: blob } of txs) {
      const transaction = parseTransaction(blob);
      const rings = await fetchRings(client(), transaction);
      const options = { version: 16, backend: createBackend() };
      expect(await verifyTransaction(transaction, rings, options)).toEqual({ ok: true });
      const [first = [], ...others] = rings;
      expect(
        await verifyTransaction(transaction, [first.toReversed(), ...others], options),
      ).toMatchObject({ code: 'bad-ring-signature' });
    }
  });

  test('the methods of later releases are listed too', async () => {
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
});

describe.each(TRANSPORTS)('a client over %s of a server with a login', (_name, connect) => {
  const clientOf = (port: number, options: Partial<HttpOptions> = {}): RpcClient =>
    clientOver(connect({ url: `http://127.0.0.1:${port}`, ...options }));
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

test.each([
  [1, { concurrency: 1 }],
  [3, {}],
])('calls over node:http share %d connections', async (count, options) => {
  const server = await recordedServer();
  const url = `http://127.0.0.1:${server.port}`;
  const one = clientOver(createNodeTransport({ url, ...options }));
  const heights = await Promise.all(
    Array.from({ length: 20 }, (_, height) =>
      one.rpc('get_block_header_by_height', { height }).then((answer) => answer.block_header),
    ),
  );
  expect(heights.map((header) => header?.height)).toEqual(heights.map((_, i) => BigInt(i)));
  const { rpc_connections_count: connections } = await one.rpc('get_info');
  expect(connections).toBe(BigInt(count));
  await server.stop();
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
  const clientOf = (url: string, tls?: NodeTransportOptions['tls']): RpcClient =>
    clientOver(createNodeTransport({ url, tls }));
  const secure = (tls?: NodeTransportOptions['tls']): RpcClient =>
    clientOf(`https://localhost:${server.port}`, tls);

  test('takes a certificate that it trusts, or any', async () => {
    const trusting = secure({ ca: certificate, checkServerIdentity: () => undefined });
    expect((await trusting.path('/get_height')).height).toBe(89n);
    const careless = secure({ rejectUnauthorized: false });
    expect((await careless.path('/get_height')).height).toBe(89n);
  });

  test('refuses others, and does not fall back to plain text', async () => {
    await expect(secure().path('/get_height')).rejects.toThrow(RpcConnectionError);
    const plain = clientOf(`http://127.0.0.1:${server.port}`);
    await expect(plain.path('/get_height')).rejects.toThrow(RpcConnectionError);
  });
});

const hashes = ({ chain }: RecordedServer) => ({
  block_ids: [chain.store.blockMeta(0)?.id ?? new Uint8Array(0)],
});
