import { encodeTransaction, type Transaction } from '@monero-node/codec';
import { formatsOf } from '@monero-node/consensus';
import { type RpcFlag, tryHex } from '@monero-node/rpc/shared';
import { defineZmqMethod, NOT_SERVED, type ZmqContext, ZmqFailure } from '../method.ts';
import { read } from '../read-json.ts';
import { zmqTransactionReader } from '../read-transaction.ts';

/** Why a transaction was refused, by the flags of `/send_raw_transaction`, and how ZeroMQ words it. */
const REASONS = {
  low_mixin: 'mixin too low',
  double_spend: 'double spend',
  invalid_input: 'invalid input',
  invalid_output: 'invalid output',
  too_big: 'too big',
  overspend: 'overspend',
  fee_too_low: 'fee too low',
  too_few_outputs: 'too few outputs',
  tx_extra_too_big: 'tx_extra too long',
  nonzero_unlock_time: 'non-zero unlock time',
} as const satisfies Readonly<Record<RpcFlag, string>>;

const NOT_READY = 'Not ready to accept transactions; try again later';

/** One sentence for a set of flags. */
function rejectionText(flags: readonly RpcFlag[]): string {
  const reasons = Object.entries(REASONS)
    .filter(([flag]) => flags.includes(flag as RpcFlag))
    .map(([, text]) => text);
  return reasons.length > 0
    ? reasons.join(' and ')
    : 'an unknown issue was found with the transaction';
}

export const sendRawTx = defineZmqMethod({
  name: 'send_raw_tx',
  params: ({ network }) => ({ tx: zmqTransactionReader(formatsOf(network)), relay: read.bool }),
  handler: ({ tx, relay }, context) => submit(encoded(tx), relay, context),
});

export const sendRawTxHex = defineZmqMethod({
  name: 'send_raw_tx_hex',
  params: { tx_as_hex: read.text, relay: read.bool },
  handler: ({ tx_as_hex: text, relay }, context) => {
    const blob = tryHex(text);
    if (blob === undefined) throw new ZmqFailure('Invalid hex');
    return submit(blob, relay, context);
  },
});

/** What can't even be written out is not judged further. */
function encoded(tx: Transaction): Uint8Array {
  try {
    return encodeTransaction(tx);
  } catch {
    throw new ZmqFailure(rejectionText([]));
  }
}

async function submit(
  blob: Uint8Array,
  relay: boolean,
  { services: { p2p, transactions } }: ZmqContext,
): Promise<{ relayed: boolean }> {
  if (transactions === undefined) throw new ZmqFailure(NOT_SERVED);
  if (!p2p.synchronized) throw new ZmqFailure(NOT_READY);
  const answer = await transactions.submit(blob, { doNotRelay: !relay });
  if (answer.isBusy === true) throw new ZmqFailure(NOT_READY);
  if (!answer.ok) throw new ZmqFailure(rejectionText(answer.flags));
  return { relayed: !answer.notRelayed };
}
