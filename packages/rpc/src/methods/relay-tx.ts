import { RPC_ERROR } from '@monero-node/rpc-schema';
import type { HandlerOf } from '../method.ts';
import { tryHex } from '../encoding/hex.ts';
import { JsonRpcError } from '../errors.ts';

/**
 * Sends pool transactions to peers again. Throws JsonRpcError naming the malformed and unknown ids; the others are sent
 * all the same.
 * Source: on_relay_tx in src/rpc/core_rpc_server.cpp.
 */
export const relayTx: HandlerOf<'relayTx'> = ({ txids }, { transactions }) => {
  const complaints = txids.flatMap((text) => {
    const id = tryHex(text);
    if (id?.length !== 32) return [`invalid transaction id: ${text}`];
    return transactions?.relay(id) === true ? [] : [`transaction not found in pool: ${text}`];
  });
  if (complaints.length > 0) throw new JsonRpcError(RPC_ERROR.internal, complaints.join(', '));
  return {};
};
