import { randomBytes } from 'node:crypto';
import type {
  BalanceStatement,
  BorromeanProof,
  BulletproofPlusProof,
  BulletproofProof,
  ClsagProof,
  CryptoBackend,
  MlsagProof,
  RingSignatureProof,
} from '../types.ts';
import { createReferenceBackend } from '../reference/backend.ts';
import { loadWasmBackend } from '../wasm/backend.ts';
import { type CryptoAddon, loadCryptoAddon } from './addon.ts';
import {
  isPackableClsag,
  isPackableRangeProof,
  packClsags,
  packElements,
  packRangeProofs,
} from './pack.ts';

/** Which code of the addon verifies signatures and range proofs. */
export type NativeDetail = 'portable' | 'avx512-ifma';

/** The backend in C++. */
export interface NativeBackend extends CryptoBackend {
  readonly name: 'native';
  readonly detail: NativeDetail;
}

/** Most proofs in one call of the addon, which bounds the memory a call takes. */
const MAX_CALL = 256;
const AMOUNT_LIMIT = 2n ** 64n;

function isAmount(amount: bigint): boolean {
  return amount >= 0n && amount < AMOUNT_LIMIT;
}

function* chunks<T>(list: readonly T[]): Iterable<readonly T[]> {
  for (let i = 0; i < list.length; i += MAX_CALL) yield list.slice(i, i + MAX_CALL);
}

class AddonBackend implements NativeBackend {
  readonly name = 'native';
  readonly detail: NativeDetail;
  readonly #addon: CryptoAddon;
  readonly #useIfma: boolean;
  #portable: CryptoBackend | undefined;

  constructor(addon: CryptoAddon, options: { useIfma: boolean }) {
    this.#addon = addon;
    this.#useIfma = options.useIfma;
    this.detail = options.useIfma ? 'avx512-ifma' : 'portable';
  }

  keccak256(data: Uint8Array): Uint8Array {
    const hash = new Uint8Array(32);
    this.#addon.keccak256(data, hash);
    return hash;
  }

  hashToPoint(data: Uint8Array): Uint8Array {
    const point = new Uint8Array(32);
    this.#addon.hashToPoint(data, point);
    return point;
  }

  isPoint(bytes: Uint8Array): boolean {
    return this.#addon.isPoint(bytes);
  }

  isValidKeyImage(keyImage: Uint8Array): boolean {
    return this.#addon.isValidKeyImage(keyImage);
  }

  commitToAmount(amount: bigint): Uint8Array {
    if (!isAmount(amount)) throw new RangeError('an amount is an unsigned 64-bit integer');
    const commitment = new Uint8Array(32);
    this.#addon.commitToAmount(amount, commitment);
    return commitment;
  }

  verifyBalance(statement: BalanceStatement): boolean {
    if (!isAmount(statement.fee)) return false;
    const inputs = packElements(statement.inputs);
    const outputs = packElements(statement.outputs);
    if (!inputs || !outputs) return false;
    return this.#addon.verifyBalance(inputs, outputs, statement.fee);
  }

  verifyClsag(batch: readonly ClsagProof[]): boolean[] {
    const packable = batch.map(isPackableClsag);
    const verdicts: boolean[] = [];
    for (const proofs of chunks(batch.filter((_, i) => packable[i]))) {
      const answers = new Uint8Array(proofs.length);
      this.#addon.verifyClsag(packClsags(proofs), answers, this.#useIfma);
      for (const answer of answers) verdicts.push(answer === 1);
    }
    let next = 0;
    return packable.map((ok) => ok && verdicts[next++] === true);
  }

  verifyBulletproofPlus(batch: readonly BulletproofPlusProof[]): boolean {
    if (!batch.every(isPackableRangeProof)) return false;
    for (const proofs of chunks(batch)) {
      const weights = randomBytes(32 * proofs.length);
      const packed = packRangeProofs(proofs);
      if (!this.#addon.verifyBulletproofPlus(packed, weights, this.#useIfma)) return false;
    }
    return true;
  }

  /** Proofs of kinds that no new transaction has are left to portable code. */
  get #forOldProofs(): CryptoBackend {
    this.#portable ??= loadWasmBackend() ?? createReferenceBackend();
    return this.#portable;
  }

  verifyRingSignature(batch: readonly RingSignatureProof[]): boolean[] {
    return this.#forOldProofs.verifyRingSignature(batch);
  }

  verifyMlsag(batch: readonly MlsagProof[]): boolean[] {
    return this.#forOldProofs.verifyMlsag(batch);
  }

  verifyBorromean(batch: readonly BorromeanProof[]): boolean[] {
    return this.#forOldProofs.verifyBorromean(batch);
  }

  verifyBulletproof(batch: readonly BulletproofProof[]): boolean {
    return this.#forOldProofs.verifyBulletproof(batch);
  }
}

/**
 * The native backend, or undefined where its addon was not built or does not load.
 * `ifma: false` keeps it from AVX-512 IFMA code where the machine could run that.
 */
export function loadNativeBackend(options: { ifma?: boolean } = {}): NativeBackend | undefined {
  const addon = loadCryptoAddon();
  if (addon === undefined) return undefined;
  return new AddonBackend(addon, { useIfma: options.ifma !== false && addon.hasIfma() });
}
