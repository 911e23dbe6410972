import type { AddTxResult } from '@monero-node/mempool';
import { RPC_FLAGS_OF_ERROR } from './error-flags.ts';
import type { SendAnswer } from './pool.ts';

const REFUSED = { ok: false, notRelayed: false, flags: [], reason: '' } as const;

/**
 * Returns what `/send_raw_transaction` answers for a result of the pool. Flags say why it refused; `reason` says only
 * that a valid transaction is not relayed.
 *
 * Source: on_send_raw_tx in src/rpc/core_rpc_server.cpp.
 */
export function sendAnswer(result: AddTxResult): SendAnswer {
  switch (result.status) {
    case 'added':
    case 'known': {
      const notRelayed = result.relay === 'none';
      return { ok: true, notRelayed, flags: [], reason: notRelayed ? 'Not relayed' : '' };
    }
    case 'refused': {
      const flags = RPC_FLAGS_OF_ERROR[result.error.code];
      return { ...REFUSED, flags, why: result.error.message };
    }
    case 'timed-out':
      return { ...REFUSED, why: 'it has left the pool because of its age' };
    case 'busy':
      return { ...REFUSED, why: 'too many transactions are waiting' };
  }
}
