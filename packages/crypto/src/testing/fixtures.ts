import { readFileSync } from 'node:fs';
import type { BalanceStatement, BulletproofPlusProof, ClsagProof, RingPoint } from '../types.ts';

/** The proofs of one real transaction, ready for a backend. */
export interface RecordedTransaction {
  readonly id: string;
  readonly outputKeys: Uint8Array[];
  readonly clsags: ClsagProof[];
  readonly rangeProof: BulletproofPlusProof;
  readonly balance: BalanceStatement;
}

/** The file's own shape; every string of values is base64 of 32-byte elements. */
interface RecordedFile {
  outputs: Record<string, string>;
  transactions: {
    id: string;
    fee: string;
    message: string;
    outputKeys: string;
    commitments: string;
    rangeProof: { scalarsAndPoints: string; L: string; R: string };
    inputs: {
      ring: string;
      pseudoOut: string;
      keyImage: string;
      s: string;
      c1: string;
      D: string;
    }[];
  }[];
}

function fixture(name: string): string {
  return readFileSync(new URL(`../../fixtures/${name}`, import.meta.url), 'utf8');
}

function elements(base64: string): Uint8Array[] {
  const bytes = Uint8Array.from(Buffer.from(base64, 'base64'));
  return Array.from({ length: bytes.length / 32 }, (_, i) => bytes.slice(32 * i, 32 * i + 32));
}

function element(base64: string): Uint8Array {
  return elements(base64)[0] as Uint8Array;
}

/** Transactions made by monero-wallet-rpc 0.18 and accepted by monerod 0.18 on regtest. */
export function recordedTransactions(): RecordedTransaction[] {
  const file = JSON.parse(fixture('regtest-transactions.json')) as RecordedFile;
  const member = (index: string): RingPoint => {
    const [key, commitment] = elements(file.outputs[index] as string);
    return { key: key as Uint8Array, commitment: commitment as Uint8Array };
  };
  return file.transactions.map((tx) => {
    const [A, A1, B, r1, s1, d1] = elements(tx.rangeProof.scalarsAndPoints) as [
      ...[Uint8Array, Uint8Array, Uint8Array],
      ...[Uint8Array, Uint8Array, Uint8Array],
    ];
    const commitments = elements(tx.commitments);
    const [L, R] = [elements(tx.rangeProof.L), elements(tx.rangeProof.R)];
    const clsags = tx.inputs.map((input) => ({
      message: element(tx.message),
      ring: input.ring.split(' ').map(member),
      pseudoOut: element(input.pseudoOut),
      keyImage: element(input.keyImage),
      s: elements(input.s),
      c1: element(input.c1),
      D: element(input.D),
    }));
    const pseudoOuts = clsags.map((clsag) => clsag.pseudoOut);
    return {
      id: tx.id,
      outputKeys: elements(tx.outputKeys),
      clsags,
      rangeProof: { commitments, A, A1, B, r1, s1, d1, L, R },
      balance: { inputs: pseudoOuts, outputs: commitments, fee: BigInt(tx.fee) },
    };
  });
}

/** One answer of monerod's own arithmetic: the name of the operation, its arguments and result as hex or words. */
export interface PrimitiveVector {
  readonly operation: string;
  readonly args: string[];
  readonly result: string;
}

/** Vectors in the format of upstream's crypto test program, each confirmed by it (monerod 0.18). */
export function primitiveVectors(operation: string): PrimitiveVector[] {
  return fixture('primitives.txt')
    .trim()
    .split('\n')
    .map((line) => line.split(' '))
    .filter((words) => words[0] === operation)
    .map((words) => ({
      operation,
      args: words.slice(1, -1),
      result: words.at(-1) as string,
    }));
}
