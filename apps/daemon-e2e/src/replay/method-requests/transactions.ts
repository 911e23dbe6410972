import type { Json } from '../../harness/json.ts';
import type { ChainSample } from '../chain-sample.ts';
import { json, MAIN, rpc, type ReplayRequest } from '../request.ts';
import { repeat, UNKNOWN_HASH } from './values.ts';

/** Returns requests about transactions and key images, and transactions to relay. */
export function transactionRequests({
  txIds,
  coinbaseIds,
  txBlobs,
  keyImages,
}: ChainSample): ReplayRequest[] {
  const [tx = '', other = ''] = txIds;
  const [coinbase = ''] = coinbaseIds.slice(9);
  const lists: string[][] = [
    ...[
      [tx],
      [tx, other],
      [tx, tx],
      [UNKNOWN_HASH],
      [UNKNOWN_HASH, tx, 'ab'.repeat(32)],
      [coinbase],
    ],
    ...[
      ['zz'],
      ['00'],
      [''],
      [tx.toUpperCase()],
      [`${tx}00`],
      [tx, 'zz'],
      coinbaseIds.slice(0, 100),
    ],
    ...[txIds.slice(0, 101), coinbaseIds.slice(0, 100), repeat(100, UNKNOWN_HASH)],
  ];
  const images: string[][] = [
    ...[[keyImages[0] ?? ''], [UNKNOWN_HASH], ['zz'], ['00'], [''], keyImages.slice(0, 100)],
    ...[repeat(5000, UNKNOWN_HASH), repeat(5001, UNKNOWN_HASH), [UNKNOWN_HASH, 'zz']],
  ];
  const blob = txBlobs[0] ?? '';
  const raw = (tx_as_hex: string, more: { [name: string]: Json } = {}): ReplayRequest =>
    json('/send_raw_transaction', { tx_as_hex, ...more });
  return [
    ...lists.flatMap((txs_hashes) => [
      json('/get_transactions', { txs_hashes }),
      json('/get_transactions', { txs_hashes, decode_as_json: true }),
    ]),
    json('/get_transactions', { txs_hashes: [tx, coinbase], prune: true, decode_as_json: true }),
    json('/get_transactions', { txs_hashes: [tx, coinbase], split: true }),
    json('/get_transactions', { txs_hashes: [tx], split: true, prune: true }),
    json('/gettransactions', { txs_hashes: [tx], client: 'ab' }),
    ...images.map((key_images) => json('/is_key_image_spent', { key_images })),
    ...['zz', 'abc', '00', 'ff'.repeat(100), blob.slice(0, -2), `${blob}00`, blob].map((each) =>
      raw(each),
    ),
    raw(blob, { do_not_relay: true }),
    raw(blob, { do_sanity_checks: false }),
    raw(`ff${blob.slice(2)}`),
    raw(blob.slice(0, blob.length / 2)),
    raw('00'.repeat(200_000)),
    ...([[], ['zz'], [UNKNOWN_HASH], [tx], [UNKNOWN_HASH, 'zz']] as string[][]).flatMap((txids) => [
      rpc('relay_tx', { txids }, MAIN),
      rpc('flush_txpool', { txids }, MAIN),
    ]),
  ];
}
