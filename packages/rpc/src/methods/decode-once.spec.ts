/** @jest-environment node */
import { jest } from '@jest/globals';
import * as codec from '@monero-node/codec';
import type { ParsedTransaction } from '@monero-node/codec';
import type { RpcTransactions } from '../pool.ts';

/** Calls of the codec's parsers since the last reset. */
const parses = { blocks: 0, transactions: 0 };

const parseTransaction = (blob: Uint8Array): ParsedTransaction => {
  parses.transactions++;
  return codec.parseTransaction(blob);
};

jest.unstable_mockModule('@monero-node/codec', () => ({
  ...codec,
  parseTransaction,
  parseBlock: (blob: Uint8Array) => {
    parses.blocks++;
    return codec.parseBlock(blob);
  },
  parseBlockSteps: (blob: Uint8Array) => {
    parses.blocks++;
    return codec.parseBlockSteps(blob);
  },
}));

const { recordedPool } = await import('../testing/recorded.ts');
const { recordedServer } = await import('../testing/recorded-server.ts');

/** Decodes what the RPC has not decoded, as the pool does. */
const transactions: RpcTransactions = {
  submit: (tx) => {
    if (tx instanceof Uint8Array) parseTransaction(tx);
    return Promise.resolve({ ok: true, notRelayed: false, flags: [], reason: '' });
  },
  relay: () => false,
  flush: () => Promise.resolve(0),
};

let node: Awaited<ReturnType<typeof recordedServer>>;
beforeAll(async () => {
  node = await recordedServer({}, { pool: recordedPool(), transactions });
});
afterAll(() => node.stop());
beforeEach(() => {
  Object.assign(parses, { blocks: 0, transactions: 0 });
});

test.each([true, false])(
  'send_raw_transaction parses the transaction exactly once (sanity checks: %s)',
  async (checks) => {
    const [tx] = recordedPool().transactions();
    const request = { tx_as_hex: codec.toHex(tx?.blob ?? new Uint8Array()) };
    Object.assign(parses, { blocks: 0, transactions: 0 });
    const answer = await node.path('/send_raw_transaction', {
      ...request,
      do_sanity_checks: checks,
    });
    expect(JSON.parse(answer.body.toString())).toMatchObject({ status: 'OK' });
    expect(parses).toEqual({ blocks: 0, transactions: 1 });
  },
);

test('submit_block parses the block exactly once', async () => {
  const top = node.chain.store.blockBlob(node.chain.height - 1) ?? new Uint8Array();
  const answer = await node.rpc('submit_block', [codec.toHex(top)]);
  expect(answer).toMatchObject({ result: { status: 'OK' } });
  expect(parses).toEqual({ blocks: 1, transactions: 0 });
});
