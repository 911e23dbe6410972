import { hasWasmKeccak, keccak256 } from '@monero-node/keccak';
import { abytes } from '@noble/hashes/utils.js';
import { randomBytes } from '../random-bytes.ts';
import type {
  BalanceStatement,
  BorromeanProof,
  BulletproofPlusProof,
  BulletproofProof,
  ClsagProof,
  CryptoBackend,
  MlsagProof,
  OutputCandidate,
  OutputMatch,
  PointSum,
  RingSignatureProof,
} from '../types.ts';
import {
  hasBorromeanShape,
  hasBulletproofPlusShape,
  hasBulletproofShape,
  hasClsagShape,
  hasMlsagShape,
  hasRingSignatureShape,
  isAmount,
} from '../proofs/shapes.ts';
import { type CryptoAddon, findCryptoAddon, loadCryptoAddon } from './addon.ts';
import { packClsags, packElements, packRangeProofs } from './pack.ts';
import {
  packBorromeans,
  packBulletproofs,
  packMlsags,
  packRingSignatures,
} from './pack-old-proofs.ts';
import { addMultiples, findSpendKeys, keyDerivations, spendKeys } from '../ownership/compute.ts';
import {
  computeInParts,
  type OwnershipEngine,
  type PackedResults,
  SUM_SIZE,
} from '../ownership/engine.ts';
import { CANDIDATE_SIZE, type OutputBatch } from '../output-batch.ts';
import { type NativePath, PATHS } from './paths.ts';

/** The backend in C++. */
export interface NativeBackend extends CryptoBackend {
  readonly name: 'native';
  /** The code of the addon that verifies signatures and range proofs. */
  readonly detail: NativePath;
}

/** Most proofs per call of the addon, which bounds the memory of a call. */
const MAX_CALL = 256;
/** Most points or outputs per call: many rounds of the 24 that the vector code takes at a time. */
const MAX_ITEMS = 42 * 24;
/** Up to this many bytes, calling the addon takes longer than hashing in WebAssembly. */
const SHORT_HASH = 1024;

function* chunks<T>(list: readonly T[], size: number = MAX_CALL): Iterable<readonly T[]> {
  for (let i = 0; i < list.length; i += size) yield list.slice(i, i + size);
}

/** Returns an answer for each proof: false for a wrong shape; the others come from calls of bounded size. */
function answerEach<T>(
  batch: readonly T[],
  hasShape: (proof: T) => boolean,
  verify: (proofs: readonly T[], answers: Uint8Array) => void,
): boolean[] {
  const shaped = batch.map(hasShape);
  const verdicts: boolean[] = [];
  for (const proofs of chunks(batch.filter((_, i) => shaped[i]))) {
    const answers = new Uint8Array(proofs.length);
    verify(proofs, answers);
    for (const answer of answers) verdicts.push(answer === 1);
  }
  let next = 0;
  return shaped.map((ok) => ok && verdicts[next++] === true);
}

/** Returns one answer for all proofs: false if one has a wrong shape; otherwise from calls of bounded size. */
function answerAll<T>(
  batch: readonly T[],
  hasShape: (proof: T) => boolean,
  verify: (proofs: readonly T[]) => boolean,
): boolean {
  if (!batch.every(hasShape)) return false;
  for (const proofs of chunks(batch)) {
    if (!verify(proofs)) return false;
  }
  return true;
}

/** Computes for wallets in the addon, in calls of bounded size. */
class AddonOwnershipEngine implements OwnershipEngine {
  readonly #addon: CryptoAddon;
  readonly #path: number;

  /** @param path index of one of `PATHS` */
  constructor(addon: CryptoAddon, path: number) {
    this.#addon = addon;
    this.#path = path;
  }

  derive(secret: Uint8Array, points: Uint8Array): PackedResults {
    return computeInParts(points, { size: 32, most: MAX_ITEMS }, (part, results, answers) =>
      this.#addon.keyDerivations(secret, part, results, answers, this.#path),
    );
  }

  spend(candidates: Uint8Array): PackedResults {
    const items = { size: CANDIDATE_SIZE, most: MAX_ITEMS };
    return computeInParts(candidates, items, (part, results, answers) =>
      this.#addon.spendKeys(part, results, answers, this.#path),
    );
  }

  add(sums: Uint8Array): PackedResults {
    return computeInParts(sums, { size: SUM_SIZE, most: MAX_ITEMS }, (part, results, answers) =>
      this.#addon.addMultiples(part, results, answers, this.#path),
    );
  }
}

class AddonBackend implements NativeBackend {
  readonly name = 'native';
  readonly detail: NativePath;
  readonly #addon: CryptoAddon;
  readonly #path: number;
  readonly #ownership: AddonOwnershipEngine;

  constructor(addon: CryptoAddon, path: NativePath) {
    this.#addon = addon;
    this.#path = PATHS.indexOf(path);
    this.#ownership = new AddonOwnershipEngine(addon, this.#path);
    this.detail = path;
  }

  keccak256(data: Uint8Array): Uint8Array {
    if (data.length <= SHORT_HASH && hasWasmKeccak()) return keccak256(data);
    abytes(data, undefined, 'data');
    const hash = new Uint8Array(32);
    this.#addon.keccak256(data, hash);
    return hash;
  }

  hashToPoint(data: Uint8Array): Uint8Array {
    abytes(data, undefined, 'data');
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
    return answerEach(batch, hasClsagShape, (proofs, answers) =>
      this.#addon.verifyClsag(packClsags(proofs), answers, this.#path),
    );
  }

  verifyBulletproofPlus(batch: readonly BulletproofPlusProof[]): boolean {
    return answerAll(batch, hasBulletproofPlusShape, (proofs) => {
      const weights = randomBytes(32 * proofs.length);
      return this.#addon.verifyBulletproofPlus(packRangeProofs(proofs), weights, this.#path);
    });
  }

  verifyRingSignature(batch: readonly RingSignatureProof[]): boolean[] {
    return answerEach(batch, hasRingSignatureShape, (proofs, answers) =>
      this.#addon.verifyRingSignature(packRingSignatures(proofs), answers, this.#path),
    );
  }

  verifyMlsag(batch: readonly MlsagProof[]): boolean[] {
    return answerEach(batch, hasMlsagShape, (proofs, answers) =>
      this.#addon.verifyMlsag(packMlsags(proofs), answers, this.#path),
    );
  }

  verifyBorromean(batch: readonly BorromeanProof[]): boolean[] {
    return answerEach(batch, hasBorromeanShape, (proofs, answers) =>
      this.#addon.verifyBorromean(packBorromeans(proofs), answers, this.#path),
    );
  }

  verifyBulletproof(batch: readonly BulletproofProof[]): boolean {
    return answerAll(batch, hasBulletproofShape, (proofs) => {
      const weights = randomBytes(64 * proofs.length);
      return this.#addon.verifyBulletproof(packBulletproofs(proofs), weights, this.#path);
    });
  }

  keyDerivations(
    secret: Uint8Array,
    publicKeys: readonly Uint8Array[],
  ): (Uint8Array | undefined)[] {
    return keyDerivations(this.#ownership, secret, publicKeys);
  }

  spendKeys(candidates: readonly OutputCandidate[]): (Uint8Array | undefined)[] {
    return spendKeys(this.#ownership, candidates);
  }

  findSpendKeys(secret: Uint8Array, batch: OutputBatch): OutputMatch[] {
    return findSpendKeys(this.#ownership, secret, batch);
  }

  addMultiples(sums: readonly PointSum[]): (Uint8Array | undefined)[] {
    return addMultiples(this.#ownership, sums);
  }
}

/** Options of {@link createNativeBackend}. */
export interface NativeOptions {
  /** The code to run; by default the fastest that this machine supports. */
  readonly path?: NativePath | undefined;
}

function hasPath(addon: CryptoAddon, path: NativePath): boolean {
  return addon.hasPath(PATHS.indexOf(path));
}

function fastestPath(addon: CryptoAddon): NativePath {
  return PATHS.findLast((path) => hasPath(addon, path)) ?? 'portable';
}

/**
 * Returns the native backend.
 *
 * Throws AddonError when there is no addon for this machine or it does not load, Error when the addon or this machine has
 * no such path.
 */
export function createNativeBackend({ path }: NativeOptions = {}): NativeBackend {
  const addon = loadCryptoAddon();
  if (path !== undefined && !hasPath(addon, path)) {
    throw new Error(`the addon has no ${path} code, or this processor cannot run it`);
  }
  return new AddonBackend(addon, path ?? fastestPath(addon));
}

/** Returns the native backend, or undefined where there is none or it has no such path. */
export function loadNativeBackend({ path }: NativeOptions = {}): NativeBackend | undefined {
  const addon = findCryptoAddon();
  if (addon === undefined || (path !== undefined && !hasPath(addon, path))) return undefined;
  return new AddonBackend(addon, path ?? fastestPath(addon));
}
