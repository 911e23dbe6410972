import { jest } from '@jest/globals';
import { lookUp } from './lookup.ts';

const ID = 'ab'.repeat(32);
const MINER_TX = 'cd'.repeat(32);

/** Answers of the node by path or JSON-RPC method. */
let answers: Record<string, unknown>;
let asked: [string, unknown][];
beforeEach(() => {
  answers = {};
  asked = [];
  globalThis.fetch = jest.fn<typeof fetch>((path, options) => {
    const body = JSON.parse(String(options?.body)) as { method?: string; params?: unknown };
    const name = body.method ?? String(path);
    asked.push([name, body.params ?? body]);
    return Promise.resolve(new Response(JSON.stringify(answers[name])));
  });
});

const block = {
  result: {
    status: 'OK',
    block_header: {
      height: 3_706_912,
      hash: ID,
      timestamp: 1_700_000_000,
      depth: 5,
      orphan_status: false,
      reward: 6e11,
      difficulty: 4e11,
      block_weight: 5000,
      major_version: 16,
    },
    miner_tx_hash: MINER_TX,
    tx_hashes: ['ef'.repeat(32)],
  },
};
const none = { status: 'OK', missed_tx: [ID] };
const json = {
  vin: [{ key: { key_offsets: Array<number>(16).fill(1) } }],
  vout: [{}, {}],
  rct_signatures: { txnFee: 30_720_000 },
};

test.each(['3706912', ' 3,706,912 ', '3 706 912', '3.706.912', "3'706'912"])(
  'a height: %s',
  async (text) => {
    answers['get_block'] = block;
    expect(await lookUp(text)).toMatchObject({
      kind: 'block',
      height: 3_706_912,
      id: ID,
      depth: 5,
      transactions: [MINER_TX, 'ef'.repeat(32)],
    });
    expect(asked).toEqual([['get_block', { height: 3_706_912 }]]);
  },
);

test('a height above the chain', async () => {
  const message = 'Too high, in whatever words';
  answers['get_block'] = { error: { code: -2, message } };
  expect(await lookUp('9')).toMatchObject({ kind: 'nothing' });
});

test('an id of a block, in upper case', async () => {
  answers['/get_transactions'] = none;
  answers['get_block'] = block;
  expect(await lookUp(ID.toUpperCase())).toMatchObject({ kind: 'block', id: ID });
  expect(asked[1]).toEqual(['get_block', { hash: ID }]);
});

test('an id of a transaction in a block', async () => {
  const entry = {
    as_json: JSON.stringify(json),
    block_height: 7,
    block_timestamp: 1_700_000_000,
    confirmations: 3,
    double_spend_seen: false,
    in_pool: false,
  };
  answers['/get_transactions'] = { status: 'OK', txs: [entry] };
  expect(await lookUp(ID)).toEqual({
    kind: 'transaction',
    id: ID,
    height: 7,
    confirmations: 3,
    time: 1_700_000_000,
    isDoubleSpend: false,
    fee: 30_720_000,
    inputs: 1,
    outputs: 2,
    ringSize: 16,
  });
});

test('a transaction of the pool, and a miner transaction', async () => {
  const pool = {
    as_json: JSON.stringify(json),
    double_spend_seen: true,
    in_pool: true,
    received_timestamp: 0,
  };
  answers['/get_transactions'] = { status: 'OK', txs: [pool] };
  expect(await lookUp(ID)).toMatchObject({ height: null, time: null, isDoubleSpend: true });
  const miner = { ...pool, as_json: JSON.stringify({ vin: [{ gen: { height: 7 } }], vout: [{}] }) };
  answers['/get_transactions'] = { status: 'OK', txs: [miner] };
  expect(await lookUp(ID)).toMatchObject({ fee: null, ringSize: null });
});

test('an id that nobody knows, and text that is none', async () => {
  answers['/get_transactions'] = none;
  const message = `Internal error: can't get block by hash. Hash = ${ID}.`;
  answers['get_block'] = { error: { code: -5, message } };
  expect(await lookUp(ID)).toMatchObject({
    kind: 'nothing',
    text: expect.stringContaining('knows'),
  });
  for (const text of ['hello', '-1', '1e5', `${ID}0`, '1'.repeat(13), '1.5', '1,50', '12 34']) {
    expect(await lookUp(text)).toMatchObject({ text: expect.stringContaining('neither') });
  }
});

test('another error is one', async () => {
  answers['get_block'] = { error: { code: -1, message: 'The node is tired' } };
  await expect(lookUp('1')).rejects.toThrow('The node is tired.');
  answers['/get_transactions'] = none;
  answers['get_block'] = { error: { code: -5, message: 'The disk is full' } };
  await expect(lookUp(ID)).rejects.toThrow('The disk is full.');
});
