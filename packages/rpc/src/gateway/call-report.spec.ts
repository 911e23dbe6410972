import { createConnection } from 'node:net';
import { once } from 'node:events';
import { toHex } from '@monero-node/codec';
import type { FinishedCall } from '../dependencies.ts';
import { ask } from '../testing/http.ts';
import { recordedServer, type RecordedServer } from '../testing/recorded-server.ts';

describe('reports of finished calls', () => {
  let node: RecordedServer;
  let calls: FinishedCall[];
  let waiting: (() => void) | undefined;
  beforeEach(async () => {
    calls = [];
    node = await recordedServer(
      {},
      {
        onCall: (call) => {
          calls.push(call);
          waiting?.();
        },
      },
    );
  });
  afterEach(() => node.stop());

  const called = async (count: number): Promise<FinishedCall[]> => {
    while (calls.length < count) {
      await new Promise<void>((resolve) => {
        waiting = resolve;
      });
    }
    return calls;
  };

  test('name the client, the path or method, the status, and the bytes of the answer', async () => {
    const height = await node.path('/get_height');
    const count = await ask(node.port, {
      path: '/json_rpc',
      body: '{"method":"get_block_count"}',
    });
    const missing = await ask(node.restrictedPort, { path: '/stop_mining' });
    expect(await called(3)).toEqual([
      report('/get_height', 200, height.body.length),
      report('/json_rpc get_block_count', 200, count.body.length),
      report('/stop_mining', 404, missing.body.length),
    ]);
    expect(calls.every(({ milliseconds }) => milliseconds > 0 && milliseconds < 60_000)).toBe(true);
  });

  test('name the method of an answer that is kept, and of one that failed', async () => {
    const body = '{"method":"get_block_header_by_height","params":{"height":1}}';
    for (let i = 0; i < 2; i++) await ask(node.port, { path: '/json_rpc', body });
    await node.rpc('get_block_header_by_height', { height: 1_000_000 });
    expect((await called(3)).map(({ method }) => method)).toEqual(
      Array(3).fill('/json_rpc get_block_header_by_height'),
    );
  });

  test('shorten names that clients made up, and show nothing that moves a cursor', async () => {
    await node.rpc(`\u001b[2J\n${'x'.repeat(1000)}`);
    const [{ method } = { method: '' }] = await called(1);
    expect(method).toMatch(/^\/json_rpc \?\[2J\?x+$/);
    expect(method).toHaveLength(80);
  });

  test('count the bytes of an answer that is made while it is sent', async () => {
    const hash = toHex(node.chain.store.blockTxs(85)[1]?.id ?? new Uint8Array());
    const body = JSON.stringify({ txs_hashes: Array(500).fill(hash), decode_as_json: true });
    const answer = await ask(node.port, { path: '/get_transactions', body });
    expect(answer.headers).toMatchObject({ 'transfer-encoding': 'chunked' });
    expect(await called(1)).toEqual([report('/get_transactions', 200, answer.body.length)]);
  });

  test('have no status when the client leaves before its answer', async () => {
    const socket = createConnection(node.port, '127.0.0.1');
    await once(socket, 'connect');
    socket.write('POST /get_height HTTP/1.1\r\nHost: x\r\nContent-Length: 9\r\n\r\n{');
    await new Promise((resolve) => setTimeout(resolve, 50));
    socket.destroy();
    expect(await called(1)).toEqual([report('/get_height', undefined, 0)]);
  });
});

function report(method: string, status: number | undefined, bytes: number): FinishedCall {
  const milliseconds = expect.any(Number) as number;
  return { address: '127.0.0.1', method, status, milliseconds, bytes };
}
