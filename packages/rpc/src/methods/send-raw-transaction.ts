import { BUSY } from '@monero-node/rpc-schema';
import type { HandlerOf } from '../method.ts';
import { tryHex } from '../encoding/hex.ts';
import { passesSanityCheck, tryParseTransaction } from '../transactions/sanity-check.ts';
import { RpcStatus } from '../errors.ts';

const FAILED = 'Failed';

/**
 * Adds a transaction to the pool. Throws RpcStatus with the flags when it is refused, and with BUSY until the node is
 * synchronized. As in monerod, the reason in words goes to the log only.
 * Source: on_send_raw_tx in src/rpc/core_rpc_server.cpp.
 */
export const sendRawTransaction: HandlerOf<'sendRawTransaction'> = async (
  request,
  { chain, p2p, transactions, logger },
) => {
  if (transactions === undefined || !p2p.synchronized) throw new RpcStatus(BUSY);
  const blob = tryHex(request.tx_as_hex);
  if (blob === undefined) throw new RpcStatus(FAILED);
  const parsed = request.do_sanity_checks ? tryParseTransaction(blob) : undefined;
  if (request.do_sanity_checks && (!parsed || !passesSanityCheck(parsed, chain))) {
    throw new RpcStatus(FAILED, { sanity_check_failed: true, reason: 'Sanity check failed' });
  }
  const answer = await transactions.submit(parsed ?? blob, { doNotRelay: request.do_not_relay });
  if (!answer.ok) {
    logger.info(`submitted transaction not accepted: ${answer.why ?? answer.flags.join(', ')}`);
    const flags = Object.fromEntries(answer.flags.map((flag) => [flag, true]));
    throw new RpcStatus(FAILED, { ...flags, reason: answer.reason });
  }
  return { ...NO_FLAGS, not_relayed: answer.notRelayed, reason: answer.reason };
};

const NO_FLAGS = {
  double_spend: false,
  fee_too_low: false,
  invalid_input: false,
  invalid_output: false,
  low_mixin: false,
  nonzero_unlock_time: false,
  not_rct: false,
  overspend: false,
  sanity_check_failed: false,
  too_big: false,
  too_few_outputs: false,
  tx_extra_too_big: false,
};
