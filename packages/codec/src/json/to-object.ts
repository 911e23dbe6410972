import type { Block } from '../block/types.ts';
import type { ParsedTransaction, Transaction } from '../transaction/types.ts';
import { blockToJson } from './block-json.ts';
import type { JsonObject } from './json-value.ts';
import { parseJson64 } from './json64.ts';
import { transactionToJson } from './transaction-json.ts';

/**
 * Returns a transaction as the object that monerod renders for `decode_as_json`: fields such as `vin`, `vout` and
 * `rct_signatures`, hashes and keys in hex, and integers beyond 2^53 - 1 as bigint. `transactionToJson` returns it as text,
 * and `stringifyJson64` turns a changed object into text again.
 * `pruned`: whether to leave out signatures and prunable data. Missing ones are always left out.
 *
 * @example
 * ```js
 * import { fromHex, parseTransaction, transactionToObject } from '@monero-node/codec';
 *
 * // The miner transaction of Monero's first block.
 * const blob = fromHex(
 *   '013c01ff0001ffffffffffff03029b2e4c0281c0b02e7c53291a94d1d0cbff8883f8024f5142ee494ffbbd0880712101' +
 *     '7767aafcde9be00dcfd098715ebcf7f410daebc582fda69d24a28e9d0bc890d1',
 * );
 * const { version, vin, vout } = transactionToObject(parseTransaction(blob));
 * console.log(version, vin, vout[0].amount); // 1 [ { gen: { height: 0 } } ] 17592186044415
 * ```
 */
export function transactionToObject(
  transaction: ParsedTransaction | Transaction,
  options: { pruned?: boolean } = {},
): JsonObject {
  return parseJson64(transactionToJson(transaction, options)) as JsonObject;
}

/** Returns a block as the object that monerod renders in `json` of `get_block`, as {@link transactionToObject} does. */
export function blockToObject(block: Block): JsonObject {
  return parseJson64(blockToJson(block)) as JsonObject;
}
