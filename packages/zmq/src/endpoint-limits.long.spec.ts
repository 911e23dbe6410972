import { silentLogger } from '@monero-node/base';
import type { Blockchain } from '@monero-node/blockchain';
import { toHex } from '@monero-node/codec';
import { createServices } from '@monero-node/rpc/shared';
import { fakeControl, fakeP2p, recordedChain, recordedPool } from '@monero-node/rpc/testing';
import { ZmqEndpoint } from './endpoint.ts';

const MAX_ANSWER = 4 << 20;

describe('limits of the ZeroMQ RPC', () => {
  let chain: Blockchain;
  let endpoint: ZmqEndpoint;

  beforeAll(async () => {
    chain = await recordedChain();
    const services = createServices({
      blockchain: chain,
      p2p: fakeP2p(),
      node: fakeControl(),
      logger: silentLogger,
      pool: recordedPool(),
    });
    endpoint = new ZmqEndpoint(
      { services, restricted: false, mining: undefined, setLogLevel: undefined },
      MAX_ANSWER,
    );
  });
  afterAll(() => chain.stop());

  const ask = async (method: string, params: string, id = '1'): Promise<Buffer> => {
    const request = `{"jsonrpc":"2.0","id":${id},"method":"${method}","params":${params}}`;
    return Buffer.concat((await endpoint.answer([Buffer.from(request)])).chunks);
  };
  const list = (item: string, count: number): string => `[${Array(count).fill(item).join(',')}]`;
  const distributions = (amounts: string): string =>
    `{"amounts":${amounts},"from_height":0,"to_height":0,"cumulative":false}`;

  /** Counts the rounds of the event loop while a call is answered. */
  async function rounds(call: Promise<Buffer>): Promise<{ count: number; answer: Buffer }> {
    let count = 0;
    let isDone = false;
    const answered = call.finally(() => (isDone = true));
    while (!isDone) {
      await new Promise(setImmediate);
      count++;
    }
    return { count, answer: await answered };
  }

  test('distributions of 300,000 amounts end with an error, in slices', async () => {
    const { count, answer } = await rounds(
      ask('get_output_distribution', distributions(list('18446744073709551615', 300_000))),
    );
    expect(String(answer)).toContain(`The answer exceeds ${MAX_ANSWER} bytes.`);
    expect(count).toBeGreaterThan(5);
  });

  test('three million amounts are too many values', async () => {
    const answer = await ask('get_output_distribution', distributions(list('1', 3_000_000)));
    expect(String(answer)).toContain('Failed to parse the json request');
  });

  test('what fits is answered as before', async () => {
    const answer = await ask('get_output_distribution', distributions(list('0', 1000)));
    const { result } = JSON.parse(String(answer)) as { result: { distributions: unknown[] } };
    expect(result.distributions).toHaveLength(1000);
    expect(answer.length).toBeGreaterThan(200_000);
  });

  test('long lists of every kind are read and answered in slices', async () => {
    const id = toHex(chain.top.id);
    const calls: [string, string][] = [
      [
        'get_output_histogram',
        `{"amounts":${list('1', 300_000)},"min_count":0,"max_count":0,"unlocked":true,"recent_cutoff":0}`,
      ],
      ['get_output_keys', `{"outputs":${list('{"amount":0,"index":1}', 150_000)}}`],
      ['get_block_headers_by_height', `{"heights":${list('1', 100_000)}}`],
      ['get_transactions', `{"tx_hashes":${list(`"${id}"`, 100_000)}}`],
      ['key_images_spent', `{"key_images":${list(`"${id}"`, 100_000)}}`],
    ];
    for (const [method, params] of calls) {
      const { count, answer } = await rounds(ask(method, params));
      expect(answer.length).toBeLessThan(MAX_ANSWER + 1000);
      expect([method, count > 2]).toEqual([method, true]);
    }
  });

  test('a transaction asked for many times is sent once', async () => {
    const [, tx] = chain.store.blockTxs(85);
    const ids = list(`"${toHex(tx?.id ?? new Uint8Array())}"`, 50_000);
    const answer = await ask('get_transactions', `{"tx_hashes":${ids}}`);
    const { result } = JSON.parse(String(answer)) as { result: { txs: object } };
    expect(Object.keys(result.txs)).toHaveLength(1);
  });

  test('a large id is refused', async () => {
    for (const id of [list('1', 100_000), `"${'x'.repeat(100_000)}"`]) {
      expect(String(await ask('get_height', '{}', id))).toContain('Malformed json');
    }
    expect(String(await ask('get_height', '{}', '{"a":[1,"b"]}'))).toContain('"id":{"a":[1,"b"]}');
  });
});
