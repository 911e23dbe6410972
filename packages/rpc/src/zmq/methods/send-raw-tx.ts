import { encodeTransaction, type Transaction } from '@monero-node/codec';
import { tryHex } from '../../encoding/hex.ts';
import { defineZmqMethod, NOT_SERVED, ZmqFailure, type ZmqContext } from '../method.ts';
import { read } from '../read-json.ts';
import { readTransaction } from '../read-transaction.ts';
import { rejectionText } from '../rejection.ts';

export const sendRawTx = defineZmqMethod({
  name: 'send_raw_tx',
  params: { tx: readTransaction, relay: read.bool },
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
  if (!p2p.synchronized) {
    throw new ZmqFailure('Not ready to accept transactions; try again later');
  }
  const answer = await transactions.submit(blob, { doNotRelay: !relay });
  if (!answer.ok) throw new ZmqFailure(rejectionText(answer.flags));
  return { relayed: !answer.notRelayed };
}
