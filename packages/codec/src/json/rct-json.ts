import type {
  Bulletproof,
  BulletproofPlus,
  RctBase,
  RctPrunable,
  RctType,
} from '../transaction/types.ts';
import type { JsonArchive } from './json-archive.ts';

/** Members of the two RingCT objects. Source: src/ringct/rctTypes.h. */

/** Writes the members of `rct_signatures`. */
export function writeRctBaseJson(json: JsonArchive, rct: RctBase): void {
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
export function writePrunableJson(json: JsonArchive, type: RctType, parts: RctPrunable): void {
  if (type === 6) writeBulletproofsPlus(json, parts.bulletproofsPlus);
  else if (type >= 3) writeBulletproofs(json, parts.bulletproofs);
  else writeRangeSigs(json, parts);
  if (type >= 5) writeClsags(json, parts);
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

/** Writes an array of keys that the serialiser opens without a length. */
function writeKeys(json: JsonArchive, name: string, keys: Uint8Array[]): void {
  json.member(name).uncountedArray(keys, (key) => json.hex(key));
}
