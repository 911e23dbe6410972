import { decodeStorage, encodeStorage, toHex, type StorageSection } from '@monero-node/codec';
import type { PoolTransaction } from '@monero-node/mempool';
import { areSane } from '../transactions/sanity-check.ts';
import type { RpcPool, RpcTransactions, SendAnswer } from '../pool.ts';
import { ask } from '../testing/http.ts';
import { recordedPool } from '../testing/recorded.ts';
import { recordedServer, type RecordedServer } from '../testing/recorded-server.ts';

const [recorded] = recordedPool().transactions();
if (recorded === undefined) throw new Error('the recorded pool is empty');
const stem: PoolTransaction = { ...recorded, broadcast: false };
const HEX = toHex(recorded.blob);
const ID = toHex(recorded.id);
const GONE = new Uint8Array(32).fill(9);

/** A pool of one transaction in the stem phase, from which one was removed at 100. */
const pool: RpcPool = {
  ...recordedPool(),
  transactions: () => [stem],
  count: (includePrivate) => (includePrivate ? 1 : 0),
  transaction: (id) => (toHex(id) === ID ? stem : undefined),
  isSpent: (_, includePrivate = false) => includePrivate,
  changesSince: (since, includePrivate) => ({
    incremental: since >= 100,
    added: includePrivate ? [stem] : [],
    removed: since >= 100 ? [GONE] : [],
  }),
};

const GOOD: SendAnswer = { ok: true, notRelayed: false, flags: [], reason: '' };
const calls: unknown[] = [];
let answer = GOOD;
const transactions: RpcTransactions = {
  submit: (tx, { doNotRelay }) => {
    calls.push([toHex(tx instanceof Uint8Array ? tx : tx.blob), doNotRelay]);
    return Promise.resolve(answer);
  },
  relay: (id) => {
    calls.push(['relay', toHex(id)]);
    return toHex(id) === ID;
  },
  flush: (ids) => {
    calls.push(['flush', ids?.map(toHex)]);
    return Promise.resolve(1);
  },
};

let node: RecordedServer;
beforeAll(async () => {
  node = await recordedServer({}, { pool, transactions });
});
afterAll(() => node.stop());
beforeEach(() => {
  calls.length = 0;
  answer = GOOD;
});

const json = async (path: string, request: unknown, port = node.port): Promise<unknown> =>
  JSON.parse((await ask(port, { path, body: JSON.stringify(request) })).body.toString());
const send = (request: object): Promise<unknown> => json('/send_raw_transaction', request);

describe('/send_raw_transaction', () => {
  test('hands the transaction on', async () => {
    expect(await send({ tx_as_hex: HEX })).toMatchObject({
      status: 'OK',
      not_relayed: false,
      reason: '',
      double_spend: false,
      not_rct: false,
      sanity_check_failed: false,
    });
    answer = { ...GOOD, notRelayed: true, reason: 'Not relayed' };
    expect(await send({ tx_as_hex: HEX, do_not_relay: true })).toMatchObject({
      status: 'OK',
      not_relayed: true,
      reason: 'Not relayed',
    });
    expect(calls).toEqual([
      [HEX, false],
      [HEX, true],
    ]);
  });

  test('returns the reason of a refusal', async () => {
    answer = {
      ok: false,
      notRelayed: false,
      flags: ['double_spend', 'fee_too_low'],
      reason: 'why',
    };
    expect(await send({ tx_as_hex: HEX })).toMatchObject({
      status: 'Failed',
      double_spend: true,
      fee_too_low: true,
      too_big: false,
      reason: 'why',
    });
  });

  test('what is no transaction fails the sanity check, or is left to the pool', async () => {
    expect(await send({ tx_as_hex: 'x' })).toMatchObject({
      status: 'Failed',
      sanity_check_failed: false,
    });
    expect(await send({ tx_as_hex: '00' })).toMatchObject({
      status: 'Failed',
      sanity_check_failed: true,
      reason: 'Sanity check failed',
    });
    expect(calls).toEqual([]);
    await send({ tx_as_hex: '00', do_sanity_checks: false });
    expect(calls).toEqual([['00', false]]);
  });

  test('is busy, and says nothing of the transaction, when too many are waiting', async () => {
    answer = { ok: false, isBusy: true, notRelayed: false, flags: [], reason: '' };
    expect(await send({ tx_as_hex: HEX })).toMatchObject({
      status: 'BUSY',
      invalid_input: false,
      reason: '',
    });
  });

  test('is busy until the node is synchronized', async () => {
    node.p2p.synchronized = false;
    expect(await send({ tx_as_hex: HEX })).toMatchObject({ status: 'BUSY' });
    node.p2p.synchronized = true;
  });
});

describe('the sanity check', () => {
  const members = (count: number, at: (i: number) => number): bigint[] =>
    Array.from({ length: count }, (_, i) => BigInt(at(i)));

  test('wants four of five members different, where there are more than ten', () => {
    expect(
      areSane(
        members(10, () => 9000),
        10_000n,
      ),
    ).toBe(true);
    expect(
      areSane(
        members(20, (i) => 9000 + Math.min(i, 15)),
        10_000n,
      ),
    ).toBe(true);
    expect(
      areSane(
        members(20, (i) => 9000 + Math.min(i, 14)),
        10_000n,
      ),
    ).toBe(false);
  });

  test('wants their median in the newer two fifths, on a chain with outputs enough', () => {
    expect(
      areSane(
        members(11, (i) => 5995 + i),
        10_000n,
      ),
    ).toBe(true);
    expect(
      areSane(
        members(11, (i) => 5994 + i),
        10_000n,
      ),
    ).toBe(false);
    expect(
      areSane(
        members(11, (i) => i),
        9_999n,
      ),
    ).toBe(true);
    // Of an even number the mean of the middle two, rounded down.
    expect(
      areSane(
        members(12, (i) => (i < 6 ? 5993 + i : 5994 + i)),
        10_000n,
      ),
    ).toBe(false);
    expect(
      areSane(
        members(12, (i) => 5995 + i),
        10_000n,
      ),
    ).toBe(true);
  });
});

test('relay_tx sends the known transactions and names the others', async () => {
  expect(await node.rpc('relay_tx', { txids: [ID] })).toMatchObject({ result: { status: 'OK' } });
  const other = '11'.repeat(32);
  expect(await node.rpc('relay_tx', { txids: ['zz', ID, other] })).toMatchObject({
    error: {
      code: -5,
      message: `invalid transaction id: zz, transaction not found in pool: ${other}`,
    },
  });
  expect(calls).toEqual([
    ['relay', ID],
    ['relay', ID],
    ['relay', other],
  ]);
  expect(await node.rpc('relay_tx', { txids: [ID] }, true)).toMatchObject({
    error: { code: -32601 },
  });
});

test('flush_txpool removes all transactions, or those with a valid id', async () => {
  const status = async (request: object): Promise<unknown> =>
    ((await node.rpc('flush_txpool', request)) as { result: { status: string } }).result.status;
  expect(await status({})).toBe('OK');
  expect(await status({ txids: [ID] })).toBe('OK');
  expect(await status({ txids: [ID, 'zz'] })).toBe('Failed to parse some of the txids');
  expect(await status({ txids: ['zz'] })).toBe('Failed to parse txid');
  expect(calls).toEqual([
    ['flush', undefined],
    ['flush', [ID]],
    ['flush', [ID]],
    ['flush', []],
  ]);
});

test('a transaction in the stem phase is shown to the owner of the node only', async () => {
  const paths: [string, object, string][] = [
    ['/get_transaction_pool', {}, 'transactions'],
    ['/get_transaction_pool_hashes', {}, 'tx_hashes'],
    ['/get_transactions', { txs_hashes: [ID] }, 'txs'],
  ];
  for (const [path, request, field] of paths) {
    expect(await json(path, request)).toHaveProperty(field);
    if (path === '/get_transaction_pool') continue;
    expect(await json(path, request, node.restrictedPort)).not.toHaveProperty(field);
  }
  const hidden = await ask(node.restrictedPort, { path: '/get_transaction_pool', body: '{}' });
  expect(hidden.status).toBe(404);
  const images = { key_images: ['22'.repeat(32)] };
  expect(await json('/is_key_image_spent', images)).toMatchObject({ spent_status: [2] });
  expect(await json('/is_key_image_spent', images, node.restrictedPort)).toMatchObject({
    spent_status: [0],
  });
});

describe('/get_blocks.bin with the pool', () => {
  const poolOnly = async (since: bigint, port = node.port): Promise<StorageSection> => {
    const body = encodeStorage(
      new Map([
        ['requested_info', { type: 'uint8', value: 2 }],
        ['pool_info_since', { type: 'uint64', value: since }],
      ]),
    );
    return decodeStorage((await ask(port, { path: '/get_blocks.bin', body })).body);
  };

  test('returns the whole pool first, and then its changes', async () => {
    const all = await poolOnly(0n);
    expect(all.get('pool_info_extent')).toMatchObject({ value: 2 });
    expect(all.has('removed_pool_txids')).toBe(false);
    expect(all.has('added_pool_txs')).toBe(true);
    const changes = await poolOnly(100n);
    expect(changes.get('pool_info_extent')).toMatchObject({ value: 1 });
    expect(changes.get('removed_pool_txids')).toEqual({ type: 'string', value: GONE });
  });

  test('a restricted listener does not reveal private transactions', async () => {
    const shown = await poolOnly(0n, node.restrictedPort);
    expect(shown.get('pool_info_extent')).toMatchObject({ value: 2 });
    expect(shown.has('added_pool_txs')).toBe(false);
  });
});
