import { readFileSync } from 'node:fs';
import { gunzipSync } from 'node:zlib';
import { hexToBytes } from '@noble/hashes/utils.js';
import type { FcmpPlusPlus } from '../verify.ts';

/** A proof as fixtures have it, in hex, and changes of which each must be refused. */
export interface ProofFixture {
  readonly name: string;
  readonly message: string;
  readonly layers: number;
  readonly root: string;
  readonly pseudoOuts: readonly string[];
  readonly keyImages: readonly string[];
  readonly proof: string;
  readonly valid: boolean;
  /** What the transcript begins with, and the draws before they are reduced. */
  readonly context?: string;
  readonly challenges?: readonly string[];
  readonly circuits?: readonly CircuitFixture[];
  readonly changes: readonly Change[];
}

/** BLAKE2b-256 of the constraints of a circuit, each as JSON; of each the first eight bytes. */
export interface CircuitFixture {
  readonly curve: 'Helios' | 'Selene';
  readonly rows: number;
  readonly constraints: number;
  readonly digests: readonly string[];
}

/** A change of a proof or of what it is about. */
export interface Change {
  readonly what?: string;
  /** Of the proof: from byte `at` on, `bytes`, or one byte combined with `xor`. */
  readonly at?: number;
  readonly xor?: number;
  readonly bytes?: string;
  /** The proof, cut or followed by zeros. */
  readonly length?: number;
  readonly layers?: number;
  readonly message?: string;
  readonly root?: string;
  readonly input?: number;
  readonly keyImage?: string;
  readonly pseudoOut?: string;
  /** Of the first two inputs. */
  readonly swap?: readonly ('blocks' | 'keyImages' | 'pseudoOuts')[];
  /** The second input becomes the first. */
  readonly repeat?: true;
}

/** Returns the content of a file of `fixtures/`. */
export function readFixture<T>(name: string): T {
  const file = new URL(`../../fixtures/${name}.json.gz`, import.meta.url);
  return JSON.parse(gunzipSync(readFileSync(file)).toString()) as T;
}

/** Returns what is to be verified. */
export function statementOf(fixture: ProofFixture): FcmpPlusPlus {
  return {
    message: hexToBytes(fixture.message),
    layers: fixture.layers,
    root: hexToBytes(fixture.root),
    pseudoOuts: fixture.pseudoOuts.map((hex) => hexToBytes(hex)),
    keyImages: fixture.keyImages.map((hex) => hexToBytes(hex)),
    proof: hexToBytes(fixture.proof),
  };
}

const BLOCK_BYTES = 480;

/** Returns what is to be verified after a change. */
export function changed(statement: FcmpPlusPlus, change: Change): FcmpPlusPlus {
  const { at, xor, bytes, length, input, swap, repeat } = change;
  let proof = statement.proof.slice();
  const pseudoOuts = [...statement.pseudoOuts];
  const keyImages = [...statement.keyImages];
  if (at !== undefined && xor !== undefined) proof[at] = (proof[at] as number) ^ xor;
  if (at !== undefined && bytes !== undefined) proof.set(hexToBytes(bytes), at);
  if (length !== undefined) {
    proof = new Uint8Array(length);
    proof.set(statement.proof.subarray(0, length));
  }
  if (input !== undefined && change.keyImage !== undefined)
    keyImages[input] = hexToBytes(change.keyImage);
  if (input !== undefined && change.pseudoOut !== undefined)
    pseudoOuts[input] = hexToBytes(change.pseudoOut);
  const second = repeat === true ? 0 : 1;
  if (swap?.includes('blocks') === true || repeat === true) {
    proof.copyWithin(0, second * BLOCK_BYTES, (second + 1) * BLOCK_BYTES);
    proof.set(statement.proof.subarray(0, BLOCK_BYTES), BLOCK_BYTES);
  }
  for (const [name, list] of Object.entries({ keyImages, pseudoOuts })) {
    if (swap?.includes(name as 'keyImages') === true || repeat === true) {
      list.splice(0, 2, list[second] as Uint8Array, list[0] as Uint8Array);
    }
  }
  return {
    message: change.message === undefined ? statement.message : hexToBytes(change.message),
    layers: change.layers ?? statement.layers,
    root: change.root === undefined ? statement.root : hexToBytes(change.root),
    pseudoOuts,
    keyImages,
    proof,
  };
}
