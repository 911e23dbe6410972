import { parseTransaction, toHex } from '@monero-node/codec';
import { countParses } from '@monero-node/codec/testing';
import type { RpcTransactions } from '../pool.ts';
import { recordedServer, type RecordedServer } from '../testing/recorded-server.ts';
import { recordedPool } from '../testing/recorded.ts';

/** Decodes what the RPC has not decoded, as the pool does. */
const transactions: RpcTransactions = {
  submit: (tx) => {
    if (tx instanceof Uint8Array) parseTransaction(tx);
    return Promise.resolve({ ok: true, notRelayed: false, flags: [], reason: '' });
  },
  relay: () => false,
  flush: () => Promise.resolve(0),
};

let node: RecordedServer;
beforeAll(async () => {
  node = await recordedServer({}, { pool: recordedPool(), transactions });
});
afterAll(() => node.stop());

test.each([true, false])(
  'send_raw_transaction parses the transaction exactly once (sanity checks: %s)',
  async (checks) => {
    const [tx] = recordedPool().transactions();
    const request = { tx_as_hex: toHex(tx?.blob ?? new Uint8Array()) };
    const parses = await countParses(async () => {
      const answer = await node.path('/send_raw_transaction', {
        ...request,
        do_sanity_checks: checks,
      });
      expect(JSON.parse(answer.body.toString())).toMatchObject({ status: 'OK' });
    });
    expect(parses).toEqual({ blocks: 0, transactions: 1 });
  },
);

test('submit_block parses the block exactly once', async () => {
  const top = node.chain.store.blockBlob(node.chain.height - 1) ?? new Uint8Array();
  const parses = await countParses(async () => {
    const answer = await node.rpc('submit_block', [toHex(top)]);
    expect(answer).toMatchObject({ result: { status: 'OK' } });
  });
  expect(parses).toEqual({ blocks: 1, transactions: 0 });
});
