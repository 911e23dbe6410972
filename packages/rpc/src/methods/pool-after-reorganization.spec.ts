import { decodeStorage, encodeStorage, toHex, type StorageSection } from '@monero-node/codec';
import { ask, type HttpReply } from '../testing/http.ts';
import { recordedPool } from '../testing/recorded.ts';
import { recordedServer, type RecordedServer } from '../testing/recorded-server.ts';
import type { RpcPool } from '../pool.ts';

const [tx] = recordedPool().transactions();
if (tx === undefined) throw new Error('the recorded pool is empty');
const ID = toHex(tx.id);
const STRANGER = Buffer.alloc(32, 7);
/** Of a wallet that has asked before. */
const BEFORE = 100n;

let node: RecordedServer;
let giveBack: () => void;
let returning: Promise<void> | undefined;
let isBack: boolean;
/** What happens before changes are answered. */
let whileAsked: (() => Promise<void>) | undefined;
/** The moments since which changes were asked for. */
const asked: number[] = [];

/** A pool to which one transaction of a removed block returns. */
const pool: RpcPool = {
  ...recordedPool(),
  get returning() {
    return returning;
  },
  transactions: () => (isBack ? [tx] : []),
  transaction: (id) => (isBack && toHex(id) === ID ? tx : undefined),
  isSpent: () => isBack,
  changesSince: async (since) => {
    asked.push(since);
    const changes = { incremental: since > 0, added: isBack ? [tx] : [], removed: [] };
    await whileAsked?.();
    return changes;
  },
};

beforeEach(async () => {
  isBack = false;
  asked.length = 0;
  returning = new Promise((resolve) => {
    giveBack = () => {
      isBack = true;
      returning = undefined;
      resolve();
    };
  });
  node = await recordedServer({}, { pool });
});
afterEach(() => node.stop());

/** Asks as a wallet does that knows the newest block of the chain, or another. */
function blocksRequest(newest: Uint8Array = node.chain.topId): Uint8Array {
  const genesis = node.chain.store.blockMeta(0)?.id ?? new Uint8Array(0);
  return encodeStorage(
    new Map([
      ['requested_info', { type: 'uint8', value: 1 }],
      ['pool_info_since', { type: 'uint64', value: BEFORE }],
      ['block_ids', { type: 'string', value: Buffer.concat([newest, genesis]) }],
    ]),
  );
}

async function blocks(request = blocksRequest()): Promise<StorageSection> {
  return decodeStorage((await ask(node.port, { path: '/get_blocks.bin', body: request })).body);
}

test.each<[path: string, request: object, shown: string]>([
  ['/get_transaction_pool', {}, ID],
  ['/get_transaction_pool_hashes', {}, ID],
  ['/get_transaction_pool_stats', {}, '"txs_total": 1'],
  ['/get_transactions', { txs_hashes: [ID] }, '"in_pool": true'],
  ['/is_key_image_spent', { key_images: ['22'.repeat(32)] }, '2'],
])('%s answers once the transactions of removed blocks are back', async (path, body, shown) => {
  let answer: HttpReply | undefined;
  const call = node.path(path, body).then((reply) => (answer = reply));
  // A call that does not wait is answered before this one, which came later.
  await node.path('/get_height');
  await node.path('/get_height');
  expect(answer).toBeUndefined();
  giveBack();
  expect((await call).body.toString()).toContain(shown);
});

test('blocks and pool are answered once the transactions of removed blocks are back', async () => {
  let answer: StorageSection | undefined;
  const call = blocks().then((reply) => (answer = reply));
  await node.path('/get_height');
  await node.path('/get_height');
  expect(answer).toBeUndefined();
  giveBack();
  expect((await call).has('added_pool_txs')).toBe(true);
  expect(asked).toEqual([Number(BEFORE)]);
});

test('a wallet whose newest block is on no main chain gets the whole pool', async () => {
  giveBack();
  const answer = await blocks(blocksRequest(STRANGER));
  expect(answer.get('pool_info_extent')).toMatchObject({ value: 2 });
  expect(asked).toEqual([0]);
});

test('the pool is read again when the chain loses its newest block meanwhile', async () => {
  giveBack();
  isBack = false;
  const request = blocksRequest();
  whileAsked = async () => {
    whileAsked = undefined;
    await node.chain.popBlocks(1);
    isBack = true;
  };
  const answer = await blocks(request);
  expect(answer.get('current_height')).toMatchObject({ value: BigInt(node.chain.height) });
  expect(answer.has('added_pool_txs')).toBe(true);
  // Now the newest block of the wallet is on no main chain.
  expect(asked).toEqual([Number(BEFORE), 0]);
});
