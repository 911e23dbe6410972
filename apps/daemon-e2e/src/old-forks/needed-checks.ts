import { isObject, parseJson, type Json, type JsonObject } from '../harness/json.ts';

const lengthOf = (value: Json | undefined): number => (Array.isArray(value) ? value.length : 0);

/**
 * Counts the checks of each kind that a chain with these transactions requires, from monerod's JSON.
 * The names are those that our daemon logs.
 *
 * `texts` are the `as_json` texts of all transactions except coinbases; `blocks` is the number of blocks without genesis.
 */
export function neededChecks(texts: readonly string[], blocks: number): Record<string, number> {
  const txs = texts.map((text) => parseJson(text) as JsonObject);
  const sum = (of: (tx: JsonObject) => number): number =>
    txs.reduce((total, tx) => total + of(tx), 0);
  const part = (tx: JsonObject, name: string): JsonObject => {
    const value = tx[name];
    return isObject(value) ? value : {};
  };
  const proofs = (name: string) => sum((tx) => lengthOf(part(tx, 'rctsig_prunable')[name]));
  return {
    blocks,
    minerTxs: blocks,
    pow: blocks,
    known: 0,
    cached: 0,
    transactions: txs.length,
    outputKeys: sum((tx) => lengthOf(tx['vout'])),
    keyImages: sum((tx) => lengthOf(tx['vin'])),
    // In type 1 the signature proves the balance.
    balances: sum((tx) => (Number(part(tx, 'rct_signatures')['type'] ?? 0) > 1 ? 1 : 0)),
    borromeans: proofs('rangeSigs'),
    bulletproofs: proofs('bp'),
    rangeProofs: proofs('bpp'),
    ringSignatures: sum((tx) => lengthOf(tx['signatures'])),
    mlsags: proofs('MGs'),
    clsags: proofs('CLSAGs'),
    membershipProofs: sum((tx) => (part(tx, 'rct_signatures')['type'] === 7 ? 1 : 0)),
  };
}
