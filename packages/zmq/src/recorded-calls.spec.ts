import { silentLogger } from '@monero-node/base';
import type { Blockchain } from '@monero-node/blockchain';
import { type JsonValue, type ParsedTransaction, stringifyJson64 } from '@monero-node/codec';
import { createServices, type RpcTransactions } from '@monero-node/rpc/shared';
import { fakeControl, fakeP2p, recordedChain, recordedPool } from '@monero-node/rpc/testing';
import { ZmqEndpoint } from './endpoint.ts';
import { NOT_SERVED } from './method.ts';
import type { ZmqMining } from './mining.ts';
import { recordedZmq } from './testing/recorded-zmq.ts';

/** Requests that this node knowingly answers otherwise; each has a test of its own below. */
const DIFFERENT =
  /get_info|get_dynamic_fee_estimate|"id":1e3|"id":12345678901234567890|\\u0000|\\ud83d"|"id":2,/;

/** The field that a later release adds to present transactions. */
const CLSAGS = /"clsags":\[\{.*?\}\],/g;
/** When the pool transaction came in differs with every recording. */
const TIMES = /"(receive_time|last_relayed_time)":\d+/g;

const bytesOf = (tx: Uint8Array | ParsedTransaction): Uint8Array =>
  tx instanceof Uint8Array ? tx : tx.blob;

const transactions: RpcTransactions = {
  submit: (tx) =>
    Promise.resolve({ ok: bytesOf(tx).length > 1, notRelayed: true, flags: [], reason: '' }),
  relay: () => false,
  flush: () => Promise.resolve(0),
};
const idle: ZmqMining = {
  status: () => ({ active: false, speed: 0, threads: 0, address: '', background: false }),
  start: () => Promise.resolve('Failed, wrong address'),
  stop: () => Promise.resolve(true),
};

describe('the ZeroMQ RPC', () => {
  const { calls } = recordedZmq();
  let chain: Blockchain;
  let control: ReturnType<typeof fakeControl>;
  let endpoint: ZmqEndpoint;
  let restricted: ZmqEndpoint;
  const levels: number[] = [];

  beforeAll(async () => {
    chain = await recordedChain();
    control = fakeControl();
    const services = createServices({
      blockchain: chain,
      p2p: fakeP2p(),
      node: control,
      logger: silentLogger,
      pool: recordedPool(),
      now: () => calls.now,
    });
    endpoint = new ZmqEndpoint({
      services: { ...services, transactions },
      restricted: false,
      mining: idle,
      setLogLevel: (level) => levels.push(level),
    });
    restricted = new ZmqEndpoint({
      services,
      restricted: true,
      mining: undefined,
      setLogLevel: undefined,
    });
  });

  afterAll(() => chain.stop());

  const ask = async (request: string, of = endpoint): Promise<string> =>
    Buffer.concat((await of.answer([Buffer.from(request)])).chunks).toString();
  const call = async (method: string, params: unknown, of = endpoint) =>
    JSON.parse(await ask(JSON.stringify({ jsonrpc: '2.0', id: 1, method, params }), of)) as {
      result?: Record<string, unknown>;
      error?: { error_str: string; message: string };
    };

  /** Without what differs for a good reason; maps and sets have no order of their own in monerod. */
  const comparable = (answer: string): string => {
    const text = answer.replace(CLSAGS, '').replace(TIMES, '"$1":0');
    const map = /"txs":(\{.*\}),"missed_hashes"/.exec(text)?.[1];
    if (map === undefined) return text;
    const sorted = Object.entries(JSON.parse(map) as object).sort(([a], [b]) => (a < b ? -1 : 1));
    return text.replace(map, JSON.stringify(Object.fromEntries(sorted)));
  };

  test.each(calls.calls.filter(({ request }) => !DIFFERENT.test(request)))(
    'says what monerod says to $request',
    async ({ request, answer }) => {
      expect(comparable(await ask(request))).toBe(comparable(answer));
    },
  );

  test('get_info has the fields of later releases', async () => {
    const recorded = calls.calls.find(({ request }) => request.includes('"get_info"'));
    const { info: theirs } = JSON.parse(recorded?.answer ?? '').result;
    const { info: ours } = (await call('get_info', {})).result as { info: object };
    const topBlock = calls.calls.find(({ request }) => request.includes('get_last_block_header'));
    expect(ours).toEqual({
      ...theirs,
      top_block_height: 88,
      top_block_hash: JSON.parse(topBlock?.answer ?? '').result.header.hash,
      difficulty_top64: 0,
      cumulative_difficulty_top64: 0,
      start_time: control.startTime,
      version: control.version,
    });
  });

  test.each(calls.calls.filter(({ request }) => request.includes('get_dynamic_fee_estimate')))(
    'fees: besides what monerod says to $request the list that later releases added',
    async ({ request, answer }) => {
      const ours = JSON.parse(await ask(request)) as { result?: { fees?: number[] } };
      const { fees, ...rest } = ours.result ?? {};
      expect({ ...ours, result: ours.result && rest }).toEqual(JSON.parse(answer));
      if (fees !== undefined) expect(fees).toHaveLength(4);
    },
  );

  test('numeric ids are returned unchanged', async () => {
    expect(await ask('{"jsonrpc":"2.0","id":1e3,"method":"get_height","params":{}}')).toContain(
      '"id":1000,',
    );
    expect(
      await ask('{"jsonrpc":"2.0","id":123456789012345678901234567890,"method":"x","params":{}}'),
    ).toContain('"id":123456789012345678901234567890,');
  });

  test('the last of several members with one name counts', async () => {
    expect(
      await ask('{"jsonrpc":"2.0","id":1,"id":2,"method":"get_height","params":{}}'),
    ).toContain('"id":2,');
  });

  test('half a character is kept', async () => {
    const request = '{"jsonrpc":"2.0","id":"\\ud83d","method":"get_height","params":{}}';
    expect(await ask(request)).toContain('"height":89');
  });

  test('a method name must match to its end', async () => {
    expect(await call('get_height\0x', {})).toMatchObject({
      error: { error_str: 'Invalid request type' },
    });
  });

  test.each([[5], [null], [[]], ['x']])('parameters %j are no object', async (params) => {
    expect(await call('get_block_hash', params)).toMatchObject({
      error: {
        error_str: 'Malformed json',
        message: 'Json value has incorrect type, expected: json object',
      },
    });
  });

  test('the frames of a message are one text, up to 10 MiB', async () => {
    const request = Buffer.from('{"jsonrpc":"2.0","id":1,"method":"get_height","params":{}}');
    const frames = [request.subarray(0, 20), request.subarray(20)];
    expect(Buffer.concat((await endpoint.answer(frames)).chunks).toString()).toContain(
      '"height":89',
    );
    const big = new Uint8Array(6 * 1024 * 1024);
    expect(Buffer.concat((await endpoint.answer([big, big])).chunks).toString()).toBe(
      '{"jsonrpc":"2.0","id":null,"error":{"code":1,"error_str":"Request too large","message":"Request exceeds maximum message size."}}',
    );
  });

  test('a transaction sent as an object is encoded to its blob', async () => {
    const submitted: Uint8Array[] = [];
    const taking = new ZmqEndpoint({
      services: createServices({
        blockchain: chain,
        p2p: fakeP2p(),
        node: control,
        logger: silentLogger,
        transactions: {
          ...transactions,
          submit: (tx, { doNotRelay }) => {
            submitted.push(bytesOf(tx));
            return Promise.resolve({ ok: true, notRelayed: doNotRelay, flags: [], reason: '' });
          },
        },
      }),
      restricted: false,
      mining: undefined,
      setLogLevel: undefined,
    });
    const [waiting] = recordedPool().transactions();
    const shown = await call('get_transaction_pool', {});
    const [{ tx }] = shown.result?.['transactions'] as [{ tx: Record<string, unknown> }];
    expect(await call('send_raw_tx', { tx, relay: true }, taking)).toMatchObject({
      result: { relayed: true },
    });
    expect(Buffer.from(submitted[0] ?? [])).toEqual(Buffer.from(waiting?.blob ?? []));
    for (const broken of [
      { ...tx, inputs: 5 },
      { ...tx, version: 3 },
      { ...tx, outputs: [{}] },
    ]) {
      const answer = await call('send_raw_tx', { tx: broken, relay: true }, taking);
      expect(answer.error?.error_str).toBe('Malformed json');
    }
    // A network that has no height for the fork knows no such output.
    const carrot = {
      amount: 0,
      to_carrot_v1: {
        key: '00'.repeat(32),
        view_tag: '00'.repeat(3),
        encrypted_janus_anchor: '00'.repeat(16),
      },
    };
    const unknown = { tx: { ...tx, outputs: [carrot] }, relay: true };
    expect((await call('send_raw_tx', unknown, taking)).error).toMatchObject({
      error_str: 'Malformed json',
      message: 'unknown output to_carrot_v1',
    });
    const inputs = [{ gen: { height: 2 ** 53 - 1 } }, { gen: { height: 10n ** 19n } }];
    const odd = await ask(
      stringifyJson64({
        jsonrpc: '2.0',
        id: 1,
        method: 'send_raw_tx',
        params: { tx: { ...(tx as { [key: string]: JsonValue }), inputs }, relay: true },
      }),
      taking,
    );
    expect(JSON.parse(odd)).toHaveProperty('error.error_str', 'Failed');
    expect(submitted).toHaveLength(1);
  });

  test('a refused transaction is answered with the reasons in words', async () => {
    const refusing = new ZmqEndpoint({
      services: createServices({
        blockchain: chain,
        p2p: fakeP2p(),
        node: control,
        logger: silentLogger,
        transactions: {
          ...transactions,
          submit: (tx) =>
            Promise.resolve({
              ok: false,
              notRelayed: false,
              reason: '',
              ...(bytesOf(tx)[0] === 1
                ? { isBusy: true, flags: [] }
                : { flags: ['too_big', 'double_spend'] }),
            }),
        },
      }),
      restricted: false,
      mining: undefined,
      setLogLevel: undefined,
    });
    expect(await call('send_raw_tx_hex', { tx_as_hex: '00', relay: true }, refusing)).toEqual({
      jsonrpc: '2.0',
      id: 1,
      error: { code: 1, error_str: 'Failed', message: 'double spend and too big' },
    });
    const busy = await call('send_raw_tx_hex', { tx_as_hex: '01', relay: true }, refusing);
    expect(busy.error).toMatchObject({
      message: 'Not ready to accept transactions; try again later',
    });
  });

  test('log levels and saving reach the node', async () => {
    await call('set_log_level', { level: 3 });
    expect(levels.at(-1)).toBe(3);
    const before = control.flushes;
    await call('save_bc', {});
    expect(control.flushes).toBe(before + 1);
  });

  test('methods of absent parts are refused', async () => {
    const bare = new ZmqEndpoint({
      services: createServices({
        blockchain: chain,
        p2p: fakeP2p(),
        node: control,
        logger: silentLogger,
      }),
      restricted: false,
      mining: undefined,
      setLogLevel: undefined,
    });
    const requests: [string, object][] = [
      ['send_raw_tx_hex', { tx_as_hex: '00', relay: true }],
      ['mining_status', {}],
      ['stop_mining', {}],
      ['set_log_level', { level: 1 }],
    ];
    for (const [method, params] of requests) {
      expect((await call(method, params, bare)).error?.message).toBe(NOT_SERVED);
    }
  });

  describe('restricted', () => {
    test.each(['get_peer_list', 'mining_status', 'save_bc', 'set_log_level', 'stop_mining'])(
      '%s is not available',
      async (method) => {
        expect(await call(method, {}, restricted)).toMatchObject({
          error: {
            error_str: 'Failed',
            message: `"${method}" is not available in restricted mode.`,
          },
        });
      },
    );

    const many = (count: number, item: unknown): unknown[] => new Array(count).fill(item);
    const id = 'ab'.repeat(32);
    test.each([
      ['get_transactions', { tx_hashes: many(101, id) }, 'Too many transactions requested'],
      ['key_images_spent', { key_images: many(5001, id) }, 'Too many key images queried'],
      [
        'get_output_keys',
        { outputs: many(5001, { amount: 0, index: 0 }) },
        'Too many outs requested',
      ],
      ['get_block_headers_by_height', { heights: many(1001, 0) }, 'Too many block headers'],
      [
        'get_output_histogram',
        { amounts: [], min_count: 0, max_count: 0, unlocked: false, recent_cutoff: 0 },
        'Restricted RPC will not serve histograms',
      ],
      [
        'get_output_histogram',
        { amounts: [0], min_count: 0, max_count: 0, unlocked: false, recent_cutoff: 5 },
        'Recent cutoff is too old',
      ],
      [
        'get_output_distribution',
        { amounts: [7], from_height: 0, to_height: 0, cumulative: true },
        'Restricted RPC can only get output distribution for rct outputs',
      ],
    ])('%s is bounded', async (method, params, message) => {
      const { error } = await call(method, params, restricted);
      expect(error?.message).toContain(message);
    });

    test('shows nothing of this node', async () => {
      const { result } = await call('get_info', {}, restricted);
      expect(result?.['info']).toMatchObject({ start_time: 0, alt_blocks_count: 0, version: '' });
      const pool = await call('get_transaction_pool', {}, restricted);
      expect(pool.result?.['transactions']).toMatchObject([
        { receive_time: 0, last_relayed_time: 0 },
      ]);
    });
  });
});
