import { RPC_ERROR } from '@monero-node/rpc-schema';
import type { HandlerOf } from '../method.ts';
import { JsonRpcError, RpcStatus } from '../errors.ts';

/** Returns the answer of a monerod 0.18 without paid RPC, which this node does not offer; wallets ask for it. */
export const rpcAccessInfo: HandlerOf<'rpcAccessInfo'> = () => ({
  cookie: 0,
  credits_per_hash_found: 0,
  diff: 0,
  hashing_blob: '',
  height: 0,
  next_seed_hash: '',
  seed_hash: '',
  seed_height: 0,
});

const NOT_NECESSARY = 'Payment not necessary';

/** Throws RpcStatus: nothing is to be paid. */
export const rpcAccessSubmitNonce: HandlerOf<'rpcAccessSubmitNonce'> = () => {
  throw new RpcStatus(NOT_NECESSARY);
};

/** Throws RpcStatus: nothing is to be paid. */
export const rpcAccessPay: HandlerOf<'rpcAccessPay'> = () => {
  throw new RpcStatus(NOT_NECESSARY);
};

/** Returns the calls per method since the start, or since they were last cleared; `time` is in microseconds. */
export const rpcAccessTracking: HandlerOf<'rpcAccessTracking'> = (request, { usage }) => {
  if (request.clear) {
    usage.clear();
    return {};
  }
  return {
    data: usage.list().map(({ name, count, time }) => ({
      ...{ count, credits: 0, rpc: name, time: Math.round(time) },
    })),
  };
};

/** Throws JsonRpcError: there are no payments. */
export const rpcAccessData: HandlerOf<'rpcAccessData'> = () => {
  throw new JsonRpcError(RPC_ERROR.paymentsNotEnabled, 'Payments not enabled');
};

/** Throws JsonRpcError: there are no payments. */
export const rpcAccessAccount: HandlerOf<'rpcAccessAccount'> = () => {
  throw new JsonRpcError(RPC_ERROR.paymentsNotEnabled, 'Payments not enabled');
};
