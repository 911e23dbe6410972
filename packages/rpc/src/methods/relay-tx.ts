import { tryHex } from '../chain/hex.ts';
import { RPC_ERROR, RpcError } from '../errors.ts';
import { defineMethod } from '../method.ts';
import { f } from '../wire/fields.ts';

/** Those that are there are sent even if others are not. Source: on_relay_tx in src/rpc/core_rpc_server.cpp. */
export const relayTx = defineMethod({
  names: ['relay_tx'],
  summary: 'Sends transactions of the pool to the network, again or for the first time.',
  restricted: 'hidden',
  base: 'access',
  request: { txids: f.texts() },
  response: {},
  handler: ({ txids }, { transactions }) => {
    const complaints = txids.flatMap((text) => {
      const id = tryHex(text);
      if (id?.length !== 32) return [`invalid transaction id: ${text}`];
      return transactions?.relay(id) === true ? [] : [`transaction not found in pool: ${text}`];
    });
    if (complaints.length > 0) throw new RpcError(RPC_ERROR.internal, complaints.join(', '));
    return {};
  },
});
