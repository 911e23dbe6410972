import type { AddTxResult } from '@monero-node/mempool';
import { reasonOfFlags, RPC_FLAGS_OF_ERROR } from './error-flags.ts';
import type { SendAnswer } from './pool.ts';

/**
 * Returns what `/send_raw_transaction` answers for a result of the pool.
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
      return { ok: false, notRelayed: false, flags, reason: reasonOfFlags(flags) };
    }
    case 'timed-out':
      return { ok: false, notRelayed: false, flags: [], reason: '' };
    case 'busy':
      return { ok: false, notRelayed: false, flags: [], reason: 'too many transactions waiting' };
  }
}
