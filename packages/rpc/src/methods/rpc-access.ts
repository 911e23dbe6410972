import { RPC_ERROR, RpcError, RpcStatus } from '../errors.ts';
import { defineMethod } from '../method.ts';
import { f } from '../wire/fields.ts';
import { defineTable } from '../wire/kinds.ts';

/**
 * Paid RPC, which this node does not offer: the answers of a monerod 0.18 that has it turned off. Wallets ask.
 */
export const rpcAccessInfo = defineMethod({
  names: ['rpc_access_info'],
  summary: 'Paid RPC, which is never on: tells so.',
  restricted: 'served',
  base: 'access',
  request: { client: f.text() },
  response: {
    cookie: f.u32(),
    credits_per_hash_found: f.u64(),
    diff: f.u64(),
    hashing_blob: f.text(),
    height: f.u64(),
    next_seed_hash: f.text(),
    seed_hash: f.text(),
    seed_height: f.u64(),
  },
  handler: () => ({
    cookie: 0,
    credits_per_hash_found: 0,
    diff: 0,
    hashing_blob: '',
    height: 0,
    next_seed_hash: '',
    seed_hash: '',
    seed_height: 0,
  }),
});

const NOT_NECESSARY = 'Payment not necessary';

export const rpcAccessSubmitNonce = defineMethod({
  names: ['rpc_access_submit_nonce'],
  summary: 'Paid RPC, which is never on.',
  restricted: 'served',
  base: 'access',
  request: { client: f.text(), cookie: f.u32(), nonce: f.u32() },
  response: {},
  handler: () => {
    throw new RpcStatus(NOT_NECESSARY);
  },
});

export const rpcAccessPay = defineMethod({
  names: ['rpc_access_pay'],
  summary: 'Paid RPC, which is never on.',
  restricted: 'served',
  base: 'access',
  request: { client: f.text(), paying_for: f.text(), payment: f.u64() },
  response: {},
  handler: () => {
    throw new RpcStatus(NOT_NECESSARY);
  },
});

const USAGE = defineTable({ count: f.u64(), credits: f.u64(), rpc: f.text(), time: f.u64() });

/** Calls per method since the start or since they were last cleared; `time` is in microseconds. */
export const rpcAccessTracking = defineMethod({
  names: ['rpc_access_tracking'],
  summary: 'Counts the calls of every method.',
  restricted: 'hidden',
  base: 'basic',
  request: { clear: f.bool() },
  response: { data: f.objects(USAGE) },
  handler: (request, { usage }) => {
    if (request.clear) {
      usage.clear();
      return {};
    }
    const names = [...usage.keys()].sort();
    return {
      data: names.map((name) => ({
        count: usage.get(name)?.count ?? 0,
        credits: 0,
        rpc: name,
        time: Math.round(usage.get(name)?.time ?? 0),
      })),
    };
  },
});

export const rpcAccessData = defineMethod({
  names: ['rpc_access_data'],
  summary: 'Paid RPC, which is never on.',
  restricted: 'hidden',
  base: 'basic',
  request: {},
  response: {},
  handler: () => {
    throw new RpcError(RPC_ERROR.paymentsNotEnabled, 'Payments not enabled');
  },
});

export const rpcAccessAccount = defineMethod({
  names: ['rpc_access_account'],
  summary: 'Paid RPC, which is never on.',
  restricted: 'hidden',
  base: 'access',
  request: { client: f.text(), delta_balance: f.i64() },
  response: {},
  handler: () => {
    throw new RpcError(RPC_ERROR.paymentsNotEnabled, 'Payments not enabled');
  },
});
