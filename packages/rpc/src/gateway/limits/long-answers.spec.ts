import { jest } from '@jest/globals';
import { createConnection } from 'node:net';
import { once } from 'node:events';
import { toHex } from '@monero-node/codec';
import { ask } from '../../testing/http.ts';
import { recordedServer, type RecordedServer } from '../../testing/recorded-server.ts';
import { atRest, onceTrue } from '../../testing/rounds.ts';

describe('long answers', () => {
  let node: RecordedServer;
  let hash: string;
  beforeAll(async () => {
    node = await recordedServer();
    hash = toHex(node.chain.store.blockTxs(85)[1]?.id ?? new Uint8Array());
  });
  afterAll(() => node.stop());

  const transactions = (count: number): string =>
    JSON.stringify({ txs_hashes: Array(count).fill(hash), decode_as_json: true });
  const distributions = (count: number): string =>
    `{"method":"get_output_distribution","params":{"binary":false,"amounts":[${Array(count).fill('0').join(',')}]}}`;

  test('a transaction asked for 500 times is sent in chunks while it is read', async () => {
    const one = await node.path('/get_transactions', JSON.parse(transactions(1)));
    const entry = (JSON.parse(one.body.toString()) as { txs: object[] }).txs[0];
    const { headers, body } = await ask(node.port, {
      path: '/get_transactions',
      body: transactions(500),
    });
    expect(headers).toMatchObject({ 'transfer-encoding': 'chunked' });
    expect(headers).not.toHaveProperty('content-length');
    const answer = JSON.parse(body.toString()) as {
      txs: object[];
      txs_as_hex: string[];
      txs_as_json: string[];
    };
    expect(answer.txs).toEqual(Array(500).fill(entry));
    expect(answer.txs_as_hex).toHaveLength(500);
    expect(answer.txs_as_json).toHaveLength(500);
  });

  test('distributions of 5,000 amounts are counted while they are sent', async () => {
    const { headers, body } = await ask(node.port, {
      path: '/json_rpc',
      body: distributions(5000),
    });
    expect(headers).toMatchObject({ 'transfer-encoding': 'chunked' });
    const { result } = JSON.parse(body.toString()) as { result: { distributions: object[] } };
    expect(result.distributions).toHaveLength(5000);
    expect(result.distributions.at(-1)).toEqual(result.distributions[0]);
  });

  test('a client that leaves, or reads nothing, stops the writing', async () => {
    let reads = 0;
    const { store } = node.chain;
    const original = store.tx.bind(store);
    const spy = jest.spyOn(store, 'tx').mockImplementation((height, position) => {
      reads++;
      return original(height, position);
    });
    const body = transactions(10_000);
    const socket = createConnection(node.port, '127.0.0.1');
    socket.pause();
    await once(socket, 'connect');
    socket.write(
      `POST /get_transactions HTTP/1.1\r\nHost: x\r\nContent-Length: ${body.length}\r\n\r\n`,
    );
    socket.write(body);
    // Each is looked for once, whoever reads.
    await onceTrue(() => reads >= 10_000);
    expect(await atRest(() => reads)).toBeLessThan(12_000);
    socket.destroy();
    expect(await atRest(() => reads)).toBeLessThan(12_000);
    spy.mockRestore();
  });

  test('an HTTP/1.0 client gets a long answer without chunks, until the connection ends', async () => {
    const body = transactions(500);
    const socket = createConnection(node.port, '127.0.0.1');
    const parts: Buffer[] = [];
    socket.on('data', (part: Buffer) => parts.push(part));
    socket.write(
      `POST /get_transactions HTTP/1.0\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    );
    await once(socket, 'end');
    const text = Buffer.concat(parts).toString();
    const [head = ''] = text.split('\r\n\r\n');
    expect(head).not.toMatch(/transfer-encoding|content-length/i);
    const { txs } = JSON.parse(text.slice(head.length + 4)) as { txs: object[] };
    expect(txs).toHaveLength(500);
  });

  test('HEAD makes none of a long answer', async () => {
    const { status, body } = await ask(node.port, {
      verb: 'HEAD',
      path: '/get_transactions',
      body: transactions(2000),
    });
    expect([status, body.length]).toEqual([200, 0]);
  });
});
