import { readFileSync } from 'node:fs';
import type {
  BorromeanProof,
  BulletproofProof,
  MlsagProof,
  RingPoint,
  RingSignatureProof,
} from '../types.ts';

/** The file's own shape; every string of values is base64 of 32-byte elements. */
interface OldProofsFile {
  ringSignatures: { message: string; keyImage: string; ring: string; signatures: string }[];
  mlsags: {
    type: number;
    message: string;
    ring: string;
    keyImages: string;
    offsets: string;
    fee: string;
    ss: string;
    cc: string;
  }[];
  borromeans: { commitment: string; ee: string; s0: string; s1: string; Ci: string }[];
  bulletproofs: { commitments: string; scalarsAndPoints: string; L: string; R: string }[];
}

/** Proofs of the kinds that came before CLSAG and Bulletproof+. */
export interface OldProofs {
  readonly ringSignatures: RingSignatureProof[];
  readonly mlsags: MlsagProof[];
  readonly borromeans: BorromeanProof[];
  readonly bulletproofs: BulletproofProof[];
}

function fixture(name: string): string {
  return readFileSync(new URL(`../../fixtures/${name}`, import.meta.url), 'utf8');
}

/** Splits bytes into pieces of `size`. */
function pieces(base64: string, size: number): Uint8Array[] {
  const bytes = Uint8Array.from(Buffer.from(base64, 'base64'));
  const count = bytes.length / size;
  return Array.from({ length: count }, (_, i) => bytes.slice(size * i, size * (i + 1)));
}

const elements = (base64: string) => pieces(base64, 32);
const element = (base64: string) => elements(base64)[0] as Uint8Array;

/** Splits elements into lists of `width`. */
function rows<T>(list: readonly T[], width: number): T[][] {
  const count = list.length / width;
  return Array.from({ length: count }, (_, i) => list.slice(width * i, width * (i + 1)));
}

/** From transactions of versions 1 and 2, types 1 to 5, accepted by monerod 0.18 below the forks that ended them. */
export function oldProofs(): OldProofs {
  const file = JSON.parse(fixture('old-proofs.json')) as OldProofsFile;
  return {
    ringSignatures: file.ringSignatures.map((proof) => ({
      message: element(proof.message),
      keyImage: element(proof.keyImage),
      ring: elements(proof.ring),
      signatures: pieces(proof.signatures, 64),
    })),
    mlsags: file.mlsags.map((proof) => {
      const keyImages = elements(proof.keyImages);
      const members = rows(elements(proof.ring), 2).map(
        ([key, commitment]) => ({ key, commitment }) as RingPoint,
      );
      return {
        message: element(proof.message),
        ring: rows(members, keyImages.length),
        keyImages,
        offsets: elements(proof.offsets),
        fee: BigInt(proof.fee),
        ss: rows(elements(proof.ss), keyImages.length + 1),
        cc: element(proof.cc),
      };
    }),
    borromeans: file.borromeans.map((proof) => ({
      commitment: element(proof.commitment),
      ee: element(proof.ee),
      s0: elements(proof.s0),
      s1: elements(proof.s1),
      Ci: elements(proof.Ci),
    })),
    bulletproofs: file.bulletproofs.map((proof) => {
      const [A, S, T1, T2, taux, mu, a, b, t] = elements(proof.scalarsAndPoints) as [
        ...[Uint8Array, Uint8Array, Uint8Array, Uint8Array],
        ...[Uint8Array, Uint8Array, Uint8Array, Uint8Array, Uint8Array],
      ];
      const commitments = elements(proof.commitments);
      const [L, R] = [elements(proof.L), elements(proof.R)];
      return { commitments, A, S, T1, T2, taux, mu, L, R, a, b, t };
    }),
  };
}

/** 32 bytes as hex and the encoding of what monerod's double multiplication (crypto-ops.c) makes of them times G. */
export function slideVectors(): [scalar: string, point: string][] {
  const lines = fixture('slide.txt').trim().split('\n');
  return lines.map((line) => line.split(' ') as [string, string]);
}
