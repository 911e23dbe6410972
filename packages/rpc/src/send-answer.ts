import type { AddTxResult } from '@monero-node/mempool';
import { RPC_FLAGS_OF_ERROR } from './error-flags.ts';
import type { SendAnswer } from './pool.ts';

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
      return { ok: false, notRelayed: false, flags, reason: '' };
    }
    case 'timed-out':
    case 'busy':
      return { ok: false, notRelayed: false, flags: [], reason: '' };
  }
}
