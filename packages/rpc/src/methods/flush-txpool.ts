import type { HandlerOf } from '../method.ts';
import { tryHex } from '../encoding/hex.ts';
import { RpcStatus } from '../errors.ts';

/**
 * Removes transactions from the pool, or all of them. Ids that are not in the pool are not an error. Throws RpcStatus
 * for text that is not a 32-byte id in hex.
 * Source: on_flush_txpool in src/rpc/core_rpc_server.cpp.
 */
export const flushTxpool: HandlerOf<'flushTxpool'> = async ({ txids }, { transactions }) => {
  const ids = txids.map(tryHex).filter((id) => id?.length === 32) as Uint8Array[];
  await transactions?.flush(txids.length === 0 ? undefined : ids);
  if (ids.length === txids.length) return {};
  throw new RpcStatus(
    ids.length === 0 ? 'Failed to parse txid' : 'Failed to parse some of the txids',
  );
};
