import { defineTable, f } from '@monero-node/codec/portable-storage';
import { defineMethod } from '../method-schema.ts';

const METHOD_USAGE = defineTable({
  count: f.u64(),
  credits: f.u64(),
  rpc: f.text(),
  time: f.u64(),
});

/** Sent by monerod only. */
const PAYING_CLIENT = defineTable({ client: f.text() });

/** Methods about paid RPC. */
export const ACCESS_METHODS = {
  rpcAccessInfo: defineMethod({
    names: ['rpc_access_info'],
    summary: 'Paid RPC, which this node does not offer. Returns zeros.',
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
  }),
  rpcAccessSubmitNonce: defineMethod({
    names: ['rpc_access_submit_nonce'],
    summary: 'Paid RPC, which this node does not offer.',
    restricted: 'served',
    base: 'access',
    request: { client: f.text(), cookie: f.u32(), nonce: f.u32() },
    response: {},
  }),
  rpcAccessPay: defineMethod({
    names: ['rpc_access_pay'],
    summary: 'Paid RPC, which this node does not offer.',
    restricted: 'served',
    base: 'access',
    request: { client: f.text(), paying_for: f.text(), payment: f.u64() },
    response: {},
  }),
  rpcAccessTracking: defineMethod({
    names: ['rpc_access_tracking'],
    summary: 'Returns how often each method was called.',
    restricted: 'hidden',
    base: 'basic',
    request: { clear: f.bool() },
    response: { data: f.objects(METHOD_USAGE) },
  }),
  rpcAccessData: defineMethod({
    names: ['rpc_access_data'],
    summary: 'Paid RPC, which this node does not offer.',
    restricted: 'hidden',
    base: 'basic',
    request: {},
    response: { entries: f.objects(PAYING_CLIENT) },
  }),
  rpcAccessAccount: defineMethod({
    names: ['rpc_access_account'],
    summary: 'Paid RPC, which this node does not offer.',
    restricted: 'hidden',
    base: 'access',
    request: { client: f.text(), delta_balance: f.i64() },
    response: {},
  }),
};
