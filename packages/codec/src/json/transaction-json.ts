import type {
  ParsedTransaction,
  Transaction,
  TxInput,
  TxOutput,
  TxTarget,
} from '../transaction/types.ts';
import { JsonArchive } from './json-archive.ts';
import { writePrunableJson, writeRctBaseJson } from './rct-json.ts';

/**
 * Returns a transaction as the text that monerod puts into `as_json`, `json` and `tx_json`, byte for byte.
 * `pruned`: whether to leave out signatures and prunable data, as in pruned answers. Missing ones are always
 *   left out.
 */
export function transactionToJson(
  transaction: ParsedTransaction | Transaction,
  options: { pruned?: boolean } = {},
): string {
  const archive = new JsonArchive();
  const tx = 'tx' in transaction ? transaction.tx : transaction;
  writeTransactionJson(archive, tx, options.pruned ?? false);
  return archive.toString();
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
