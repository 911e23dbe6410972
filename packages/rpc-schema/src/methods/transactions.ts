import {
  defineTable,
  f,
  optional,
  type OutputOf,
  withDefault,
} from '@monero-node/codec/portable-storage';
import { defineMethod } from '../method-schema.ts';

const TRANSACTION_ENTRY = defineTable({
  as_hex: f.hex(),
  as_json: f.reusedText(),
  block_height: optional(f.u64()),
  block_timestamp: optional(f.u64()),
  confirmations: optional(f.u64()),
  double_spend_seen: f.bool(),
  in_pool: f.bool(),
  output_indices: f.u64s(),
  prunable_as_hex: f.hex(),
  prunable_hash: f.hash(),
  pruned_as_hex: f.hex(),
  received_timestamp: optional(f.u64()),
  relayed: optional(f.bool()),
  tx_hash: f.text(),
  unified_ids: f.u64s(),
});
export type TransactionAnswer = OutputOf<(typeof TRANSACTION_ENTRY)['fields']>;

/** Methods about transactions. */
export const TRANSACTION_METHODS = {
  getTransactions: defineMethod({
    paths: ['/get_transactions', '/gettransactions'],
    summary: 'Returns transactions by id, from the chain or the pool.',
    restricted: 'served',
    base: 'access',
    request: {
      txs_hashes: f.hexTexts(),
      decode_as_json: f.bool(),
      prune: f.bool(),
      split: f.bool(),
    },
    response: {
      missed_tx: f.hashes(),
      txs: f.objects(TRANSACTION_ENTRY),
      txs_as_hex: f.hexes(),
      txs_as_json: f.reusedTexts(),
    },
  }),
  getTxidsLoose: defineMethod({
    names: ['get_txids_loose'],
    summary: 'Returns the transactions of the chain and the pool whose ids end in given bits.',
    restricted: 'served',
    base: 'basic',
    request: { txid_template: f.hexText(), num_matching_bits: f.u32() },
    response: { txids: f.hashes() },
  }),
  isKeyImageSpent: defineMethod({
    paths: ['/is_key_image_spent'],
    summary:
      'Returns whether key images are unspent (0), spent on the chain (1) or spent in the pool (2).',
    restricted: 'served',
    base: 'access',
    request: { key_images: f.hexTexts() },
    response: { spent_status: f.u32s() },
  }),
  sendRawTransaction: defineMethod({
    paths: ['/send_raw_transaction', '/sendrawtransaction'],
    summary: 'Adds a transaction to the pool and sends it to the network.',
    restricted: 'served',
    base: 'access',
    request: {
      do_not_relay: f.bool(),
      do_sanity_checks: withDefault(f.bool(), true),
      tx_as_hex: f.hexText(),
    },
    response: {
      double_spend: f.bool(),
      fee_too_low: f.bool(),
      invalid_input: f.bool(),
      invalid_output: f.bool(),
      low_mixin: f.bool(),
      nonzero_unlock_time: f.bool(),
      /** Always false; documented, and no longer sent by monerod. */
      not_rct: f.bool(),
      not_relayed: f.bool(),
      overspend: f.bool(),
      reason: f.text(),
      sanity_check_failed: f.bool(),
      too_big: f.bool(),
      too_few_outputs: f.bool(),
      tx_extra_too_big: f.bool(),
    },
  }),
  relayTx: defineMethod({
    names: ['relay_tx'],
    summary: 'Sends transactions of the pool to the network, again or for the first time.',
    restricted: 'hidden',
    base: 'access',
    request: { txids: f.hexTexts() },
    response: {},
  }),
};
