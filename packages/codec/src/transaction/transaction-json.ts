import { assertChoice } from '../bytes.ts';
import { JsonArchive } from '../json/json-archive.ts';
import type { JsonObject } from '../json/json-parser.ts';
import type {
  Bulletproof,
  BulletproofPlus,
  FcmpProof,
  ParsedTransaction,
  RctBase,
  RctPrunable,
  RctType,
  Transaction,
  TxInput,
  TxOutput,
  TxTarget,
} from './types.ts';

/** Options of {@link transactionToJson} and {@link transactionToObject}. */
export interface TransactionJsonOptions {
  /** Whether to leave out signatures and prunable data, as in pruned answers. Missing ones are always left out. */
  readonly pruned?: boolean;
}

const OPTION_NAMES = ['pruned'] as const satisfies (keyof TransactionJsonOptions)[];

/**
 * Returns a transaction as the text that monerod puts into `as_json`, `json` and `tx_json`, byte for byte.
 * Throws TypeError for an unknown option.
 */
export function transactionToJson(
  transaction: ParsedTransaction | Transaction,
  options: TransactionJsonOptions = {},
): string {
  return archiveOf(transaction, options).toString();
}

/**
 * Returns a transaction as the object that monerod renders for `decode_as_json`: fields such as `vin`, `vout` and
 * `rct_signatures`, hashes and keys in hex, and integers beyond 2^53 - 1 as bigint. `transactionToJson` returns it as text,
 * and `stringifyJson64` turns a changed object into text again.
 * Throws TypeError for an unknown option.
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
  options: TransactionJsonOptions = {},
): JsonObject {
  return archiveOf(transaction, options).toObject();
}

function archiveOf(
  transaction: ParsedTransaction | Transaction,
  options: TransactionJsonOptions,
): JsonArchive {
  for (const name of Object.keys(options)) assertChoice(name, 'option', OPTION_NAMES);
  const { pruned = false } = options;
  const archive = new JsonArchive();
  const tx = 'tx' in transaction ? transaction.tx : transaction;
  writeTransactionJson(archive, tx, pruned);
  return archive;
}

/** Writes a transaction as an object; `pruned` leaves out signatures and prunable data. */
export function writeTransactionJson(json: JsonArchive, tx: Transaction, pruned: boolean): void {
  json.object(() => {
    json.member('version').integer(tx.version);
    json.member('unlock_time').integer(tx.unlockTime);
    json.member('vin').countedArray(tx.inputs, (input) => writeInput(json, input));
    json.member('vout').countedArray(tx.outputs, (output) => writeOutput(json, output));
    json.member('extra');
    writeByteArray(json, tx.extra);
    if (tx.version === 1) {
      if (tx.signatures !== undefined && !pruned) writeSignatures(json, tx.signatures);
    } else if (tx.rct !== undefined) {
      const { rct, prunable } = tx;
      json.member('rct_signatures').object(() => writeRctBaseJson(json, rct));
      if (prunable !== undefined && !pruned) {
        json.member('rctsig_prunable').object(() => writePrunableJson(json, rct.type, prunable));
      }
    }
  });
}

function writeInput(json: JsonArchive, input: TxInput): void {
  json.object(() => {
    json.member(input.kind).object(() => {
      switch (input.kind) {
        case 'gen':
          json.member('height').integer(input.height);
          return;
        case 'key':
          json.member('amount').integer(input.amount);
          json.member('key_offsets').countedArray(input.keyOffsets, (n) => json.integer(n));
          json.member('k_image').hex(input.keyImage);
          return;
        case 'script':
          json.member('prev').hex(input.prev);
          json.member('prevout').integer(input.prevout);
          json.member('sigset');
          writeByteArray(json, input.sigset);
          return;
        case 'scripthash':
          json.member('prev').hex(input.prev);
          json.member('prevout').integer(input.prevout);
          json.member('script').object(() => writeScript(json, input));
          json.member('sigset');
          writeByteArray(json, input.sigset);
          return;
      }
    });
  });
}

function writeOutput(json: JsonArchive, output: TxOutput): void {
  json.object(() => {
    json.member('amount').integer(output.amount);
    json.member('target').object(() => writeTarget(json, output.target));
  });
}

function writeTarget(json: JsonArchive, target: TxTarget): void {
  switch (target.kind) {
    case 'key':
      json.member('key').hex(target.key);
      return;
    case 'tagged-key':
      json.member('tagged_key').object(() => {
        json.member('key').hex(target.key);
        json.member('view_tag').hex(Uint8Array.of(target.viewTag));
      });
      return;
    case 'carrot':
      json.member('carrot_v1').object(() => {
        json.member('key').hex(target.key);
        json.member('view_tag').hex(target.viewTag);
        json.member('encrypted_janus_anchor').hex(target.encryptedJanusAnchor);
      });
      return;
    case 'script':
      json.member('script').object(() => writeScript(json, target));
      return;
    case 'scripthash':
      json.member('scripthash').hex(target.hash);
      return;
  }
}

function writeScript(json: JsonArchive, script: { keys: Uint8Array[]; script: Uint8Array }): void {
  json.member('keys').countedArray(script.keys, (key) => json.hex(key));
  json.member('script');
  writeByteArray(json, script.script);
}

function writeByteArray(json: JsonArchive, bytes: Uint8Array): void {
  json.countedArray(bytes, (byte) => json.integer(byte));
}

/** Writes one string for each input with signatures, and nothing, as monerod does, for an input without. */
function writeSignatures(json: JsonArchive, signatures: Uint8Array[][]): void {
  json.member('signatures').uncountedArray(signatures, (signature) => {
    if (signature.length > 0) json.hex(...signature);
  });
}

/** Writes the members of `rct_signatures`. Source of both RingCT objects: src/ringct/rctTypes.h. */
function writeRctBaseJson(json: JsonArchive, rct: RctBase): void {
  json.member('type').integer(rct.type);
  if (rct.type === 0) return;
  json.member('txnFee').integer(rct.fee);
  if (rct.type === 2) writeKeys(json, 'pseudoOuts', rct.pseudoOuts);
  json.member('ecdhInfo').uncountedArray(rct.ecdhInfo, ({ mask, amount }) => {
    json.object(() => {
      if (mask !== undefined) json.member('mask').hex(mask);
      json.member('amount').hex(amount);
    });
  });
  writeKeys(json, 'outPk', rct.outPk);
}

/** Writes the members of `rctsig_prunable`. */
function writePrunableJson(json: JsonArchive, type: RctType, parts: RctPrunable): void {
  if (type >= 6) writeBulletproofsPlus(json, parts.bulletproofsPlus);
  else if (type >= 3) writeBulletproofs(json, parts.bulletproofs);
  else writeRangeSigs(json, parts);
  if (parts.fcmp !== undefined) writeFcmp(json, parts.fcmp);
  else if (type >= 5) writeClsags(json, parts);
  else writeMlsags(json, parts);
  if (type >= 3) writeKeys(json, 'pseudoOuts', parts.pseudoOuts);
}

function writeRangeSigs(json: JsonArchive, parts: RctPrunable): void {
  json.member('rangeSigs').uncountedArray(parts.rangeSigs, (sig) => {
    json.object(() => {
      json.member('asig').hex(...sig.s0, ...sig.s1, sig.ee);
      json.member('Ci').hex(...sig.Ci);
    });
  });
}

function writeBulletproofs(json: JsonArchive, proofs: Bulletproof[]): void {
  json.member('nbp').integer(proofs.length);
  json.member('bp').uncountedArray(proofs, (proof) => {
    json.object(() => {
      for (const name of ['A', 'S', 'T1', 'T2', 'taux', 'mu'] as const) {
        json.member(name).hex(proof[name]);
      }
      writeRounds(json, proof);
      for (const name of ['a', 'b', 't'] as const) json.member(name).hex(proof[name]);
    });
  });
}

function writeBulletproofsPlus(json: JsonArchive, proofs: BulletproofPlus[]): void {
  json.member('nbp').integer(proofs.length);
  json.member('bpp').uncountedArray(proofs, (proof) => {
    json.object(() => {
      for (const name of ['A', 'A1', 'B', 'r1', 's1', 'd1'] as const) {
        json.member(name).hex(proof[name]);
      }
      writeRounds(json, proof);
    });
  });
}

function writeRounds(json: JsonArchive, proof: { L: Uint8Array[]; R: Uint8Array[] }): void {
  json.member('L').countedArray(proof.L, (key) => json.hex(key));
  json.member('R').countedArray(proof.R, (key) => json.hex(key));
}

function writeFcmp(json: JsonArchive, { referenceBlock, treeLayers, proof }: FcmpProof): void {
  json.member('reference_block').integer(referenceBlock);
  json.member('n_tree_layers').integer(treeLayers);
  json.member('fcmp_pp').hex(proof);
}

function writeClsags(json: JsonArchive, parts: RctPrunable): void {
  json.member('CLSAGs').uncountedArray(parts.clsags, (sig) => {
    json.object(() => {
      writeKeys(json, 's', sig.s);
      json.member('c1').hex(sig.c1);
      json.member('D').hex(sig.D);
    });
  });
}

function writeMlsags(json: JsonArchive, parts: RctPrunable): void {
  json.member('MGs').uncountedArray(parts.mlsags, (sig) => {
    json.object(() => {
      json.member('ss').uncountedArray(sig.ss, (row) => {
        json.uncountedArray(row, (key) => json.hex(key));
      });
      json.member('cc').hex(sig.cc);
    });
  });
}

/** Writes an array of keys that the serializer opens without a length. */
function writeKeys(json: JsonArchive, name: string, keys: Uint8Array[]): void {
  json.member(name).uncountedArray(keys, (key) => json.hex(key));
}
