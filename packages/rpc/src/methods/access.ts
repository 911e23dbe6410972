import { RPC_ERROR } from '@monero-node/rpc-schema';
import { JsonRpcError, RpcStatus } from '../errors.ts';
import type { HandlerOf, MethodRows } from '../method.ts';

/** Returns the answer of a monerod 0.18 without paid RPC, which this node does not offer; wallets ask for it. */
const rpcAccessInfo: HandlerOf<'rpcAccessInfo'> = () => ({
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
const rpcAccessSubmitNonce: HandlerOf<'rpcAccessSubmitNonce'> = () => {
  throw new RpcStatus(NOT_NECESSARY);
};

/** Throws RpcStatus: nothing is to be paid. */
const rpcAccessPay: HandlerOf<'rpcAccessPay'> = () => {
  throw new RpcStatus(NOT_NECESSARY);
};

/** Returns the calls per method since the start, or since they were last cleared; `time` is in microseconds. */
const rpcAccessTracking: HandlerOf<'rpcAccessTracking'> = (request, { services: { usage } }) => {
  if (request.clear) {
    usage.clear();
    return {};
  }
  return {
    data: usage.list().map(({ name, count, time }) => ({
      count,
      credits: 0,
      rpc: name,
      time: Math.round(time),
    })),
  };
};

/** Throws JsonRpcError: there are no payments. */
const rpcAccessData: HandlerOf<'rpcAccessData'> = () => {
  throw new JsonRpcError(RPC_ERROR.paymentsNotEnabled, 'Payments not enabled');
};

/** Throws JsonRpcError: there are no payments. */
const rpcAccessAccount: HandlerOf<'rpcAccessAccount'> = () => {
  throw new JsonRpcError(RPC_ERROR.paymentsNotEnabled, 'Payments not enabled');
};

export const ACCESS_ROWS = {
  rpcAccessInfo: { handler: rpcAccessInfo, answeredBy: 'main' },
  rpcAccessSubmitNonce: { handler: rpcAccessSubmitNonce, answeredBy: 'main' },
  rpcAccessPay: { handler: rpcAccessPay, answeredBy: 'main' },
  rpcAccessTracking: { handler: rpcAccessTracking, answeredBy: 'main' },
  rpcAccessData: { handler: rpcAccessData, answeredBy: 'main' },
  rpcAccessAccount: { handler: rpcAccessAccount, answeredBy: 'main' },
} satisfies Partial<MethodRows>;
