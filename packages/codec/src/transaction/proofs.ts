import type { ByteReader } from '../byte-reader.ts';
import type { ByteWriter } from '../byte-writer.ts';
import { DecodeError } from '../errors.ts';
import type { Bulletproof, BulletproofPlus, Clsag, Mlsag, RangeSig } from './types.ts';

/** The proofs and signatures inside a RingCT signature, as bytes. Source: src/ringct/rctTypes.h. */

/** Bytes of a Borromean range proof. */
export const RANGE_SIG_SIZE = (64 + 64 + 1 + 64) * 32;

/** Reads a Borromean range proof of 6176 bytes. Throws DecodeError when fewer bytes are left. */
export function readRangeSig(reader: ByteReader): RangeSig {
  return {
    s0: reader.keys(64),
    s1: reader.keys(64),
    ee: reader.bytes(32),
    Ci: reader.keys(64),
  };
}

/** Writes a Borromean range proof of 6176 bytes. Throws RangeError for a key that does not have 32 bytes. */
export function writeRangeSig(writer: ByteWriter, sig: RangeSig): void {
  writer.keys(sig.s0).keys(sig.s1).key(sig.ee).keys(sig.Ci);
}

/** Reads a Bulletproof. Throws DecodeError when it is malformed. */
export function readBulletproof(reader: ByteReader): Bulletproof {
  return {
    A: reader.bytes(32),
    S: reader.bytes(32),
    T1: reader.bytes(32),
    T2: reader.bytes(32),
    taux: reader.bytes(32),
    mu: reader.bytes(32),
    ...readRounds(reader),
    a: reader.bytes(32),
    b: reader.bytes(32),
    t: reader.bytes(32),
  };
}

/** Writes a Bulletproof. Throws RangeError for a key that does not have 32 bytes. */
export function writeBulletproof(writer: ByteWriter, proof: Bulletproof): void {
  writer.keys([proof.A, proof.S, proof.T1, proof.T2, proof.taux, proof.mu]);
  writeRounds(writer, proof);
  writer.keys([proof.a, proof.b, proof.t]);
}

/** Reads a Bulletproof+. Throws DecodeError when it is malformed. */
export function readBulletproofPlus(reader: ByteReader): BulletproofPlus {
  return {
    A: reader.bytes(32),
    A1: reader.bytes(32),
    B: reader.bytes(32),
    r1: reader.bytes(32),
    s1: reader.bytes(32),
    d1: reader.bytes(32),
    ...readRounds(reader),
  };
}

/** Writes a Bulletproof+. Throws RangeError for a key that does not have 32 bytes. */
export function writeBulletproofPlus(writer: ByteWriter, proof: BulletproofPlus): void {
  writer.keys([proof.A, proof.A1, proof.B, proof.r1, proof.s1, proof.d1]);
  writeRounds(writer, proof);
}

/** Reads an MLSAG: for each of the `ring` members a row of `columns` scalars. Throws DecodeError when fewer bytes are left. */
export function readMlsag(reader: ByteReader, ring: number, columns: number): Mlsag {
  const ss: Uint8Array[][] = [];
  for (let i = 0; i < ring; i++) ss.push(reader.keys(columns));
  return { ss, cc: reader.bytes(32) };
}

/** Writes an MLSAG without its sizes. Throws RangeError for a key that does not have 32 bytes. */
export function writeMlsag(writer: ByteWriter, sig: Mlsag): void {
  for (const row of sig.ss) writer.keys(row);
  writer.key(sig.cc);
}

/** Reads a CLSAG with one scalar for each of the `ring` members. Throws DecodeError when fewer bytes are left. */
export function readClsag(reader: ByteReader, ring: number): Clsag {
  return { s: reader.keys(ring), c1: reader.bytes(32), D: reader.bytes(32) };
}

/** Writes a CLSAG without its size. Throws RangeError for a key that does not have 32 bytes. */
export function writeClsag(writer: ByteWriter, sig: Clsag): void {
  writer.keys(sig.s).key(sig.c1).key(sig.D);
}

/** Reads the points of an inner product proof: as many L as R, and at least one. */
function readRounds(reader: ByteReader): { L: Uint8Array[]; R: Uint8Array[] } {
  const start = reader.offset;
  const L = reader.keys(reader.count(32));
  const R = reader.keys(reader.count(32));
  if (L.length === 0 || L.length !== R.length) {
    throw new DecodeError(`range proof with ${L.length} L and ${R.length} R`, start);
  }
  return { L, R };
}

function writeRounds(writer: ByteWriter, proof: { L: Uint8Array[]; R: Uint8Array[] }): void {
  writer.varint(proof.L.length).keys(proof.L);
  writer.varint(proof.R.length).keys(proof.R);
}
