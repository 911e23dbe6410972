import { recordedTransactions } from '../testing/fixtures.ts';
import { oldProofs } from '../testing/old-fixtures.ts';
import { findCryptoAddon, type CryptoAddon } from './addon.ts';
import { packClsags, packRangeProofs } from './pack.ts';
import {
  packBorromeans,
  packBulletproofs,
  packMlsags,
  packRingSignatures,
} from './pack-old-proofs.ts';
import { PATHS } from './paths.ts';

type AddonFunction = keyof CryptoAddon;
type Verifier = Exclude<AddonFunction, 'hasPath' | 'keccak256'>;
/** Functions that take packed items, the results, the answers and the path. */
const COMPUTERS = ['spendKeys', 'addMultiples'] as const;

const addon = findCryptoAddon();
/** Functions that take packed proofs, with bytes of the second argument per proof. */
const VERIFIERS: readonly (readonly [Verifier, number])[] = [
  ['verifyClsag', 1],
  ['verifyBulletproofPlus', 32],
  ['verifyRingSignature', 1],
  ['verifyMlsag', 1],
  ['verifyBorromean', 1],
  ['verifyBulletproof', 64],
];
const PRIMITIVES = ['keccak256', 'hashToPoint', 'isPoint', 'isValidKeyImage'] as const;

const [first] = recordedTransactions();
if (first === undefined) throw new Error('no recorded transaction');
const old = oldProofs();
const packed = [
  packClsags(first.clsags.slice(0, 1)),
  packRangeProofs([first.rangeProof]),
  packRingSignatures(old.ringSignatures.slice(0, 1)),
  packMlsags(old.mlsags.slice(0, 1)),
  packBorromeans(old.borromeans.slice(0, 1)),
  packBulletproofs(old.bulletproofs.slice(0, 1)),
];

/** Four bytes of settings, then the packed proofs: the function, the length of the second argument, types, path. */
export const maxLength = 16_000;
export const seeds = PATHS.flatMap((_, path) => [
  ...packed.map((bytes, index) => Uint8Array.of(index, 1, 0, path, ...bytes)),
  // One item, and a full round of the vector code with one more: candidates (72 bytes), sums (128 bytes).
  ...[1, 25].flatMap((count) =>
    [72, 128].map((size, index) =>
      Uint8Array.of(index, count, 0, path, ...new Uint8Array(size * count)),
    ),
  ),
]);
export const tokens = [
  new Uint8Array(32),
  new Uint8Array(32).fill(255),
  Uint8Array.of(1, ...new Uint8Array(31)),
];

/** Values that no caller passes. */
const ODD: readonly unknown[] = [
  ...[undefined, null, 5, -1n, 2n ** 64n, '', {}, [], Symbol.iterator, () => 0, NaN],
  ...[new Uint16Array(32), new Float64Array(4), new DataView(new ArrayBuffer(32))],
  ...[new ArrayBuffer(32), new Uint8Array(0), new Uint8Array(new SharedArrayBuffer(32))],
  detached(),
];

/** An array whose memory was given away. */
function detached(): Uint8Array {
  const bytes = new Uint8Array(32);
  structuredClone(bytes.buffer, { transfer: [bytes.buffer] });
  return bytes;
}

/** Calls a function with any arguments, which it may refuse with TypeError only. */
function attempt(name: AddonFunction, args: readonly unknown[]): void {
  try {
    const call = addon?.[name] as ((...args: readonly unknown[]) => unknown) | undefined;
    call?.(...args);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
}

/** Any bytes and any arguments are judged or refused with TypeError; memory is left alone (see npm run sanitize). */
export function fuzz(input: Uint8Array): void {
  const [index = 0, count = 0, odd = 0, setting = 0] = input;
  const bytes = input.slice(4);
  const [verifier, perProof] = VERIFIERS[index % VERIFIERS.length] as (typeof VERIFIERS)[number];
  // Sometimes a path that does not exist.
  const path = setting % (PATHS.length + 1);
  const args: unknown[] = [bytes, new Uint8Array(count * perProof).fill(1), path];
  // Half of the inputs have an odd argument.
  if (odd % 2 === 1) args[(odd >> 1) % 4] = ODD[(odd >> 3) % ODD.length];
  attempt(verifier, args);
  const primitive = PRIMITIVES[index % PRIMITIVES.length] as (typeof PRIMITIVES)[number];
  attempt(primitive, odd % 2 === 1 ? args : [bytes, new Uint8Array(32)]);
  const results = new Uint8Array(32 * count);
  const answers = new Uint8Array(count);
  const odds: unknown = ODD[(odd >> 3) % ODD.length];
  attempt(COMPUTERS[index % 2] as AddonFunction, [bytes, results, answers, path]);
  attempt(COMPUTERS[index % 2] as AddonFunction, [bytes, odds, answers, path]);
  const secret = bytes.slice(0, 32);
  attempt('keyDerivations', [secret, bytes.slice(32, 32 + 32 * count), results, answers, path]);
  attempt('keyDerivations', [secret, results, odds, answers, path]);
  attempt('verifyBalance', [
    bytes.slice(0, 32 * (odd % 8)),
    bytes.slice(0, 32 * (setting % 8)),
    5n,
  ]);
  attempt('commitToAmount', [BigInt(count), odd % 2 === 1 ? args[1] : new Uint8Array(32)]);
}
