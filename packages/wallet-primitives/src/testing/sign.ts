import { concatBytes, encodeBase58 } from '@monero-node/codec';
import { type CryptoBackend, keccak256 } from '@monero-node/crypto';
import {
  decodeScalar,
  encodeScalar,
  Fn,
  hashToScalar,
  randomScalar,
} from '@monero-node/crypto/testing';
import { G_BYTES, ZERO } from '../keys/points.ts';

/** Signs with secrets, for tests only: in the forms of old wallets, which no program writes any more. */

function multiple(backend: CryptoBackend, a: Uint8Array, A: Uint8Array): Uint8Array {
  const [point] = backend.addMultiples([{ a, A, b: ZERO, B: G_BYTES }]);
  if (point === undefined) throw new RangeError('not a point');
  return point;
}

/** Returns r = k - c·secret after c. */
function answer(k: bigint, c: bigint, secret: Uint8Array): Uint8Array {
  const r = Fn.sub(k, Fn.mul(c, decodeScalar(secret) as bigint));
  return concatBytes(encodeScalar(c), encodeScalar(r));
}

/** Returns a signature of 64 bytes over a hash (32 bytes). */
function sign(hash: Uint8Array, secret: Uint8Array, backend: CryptoBackend): Uint8Array {
  const k = randomScalar();
  const commitment = multiple(backend, encodeScalar(k), G_BYTES);
  return answer(k, hashToScalar(hash, multiple(backend, secret, G_BYTES), commitment), secret);
}

/** Returns the signature of a message in the form of version 1. */
export function signMessageV1(message: string, secret: Uint8Array, backend: CryptoBackend): string {
  const hash = keccak256(new TextEncoder().encode(message));
  return `SigV1${encodeBase58(sign(hash, secret, backend))}`;
}

/** Returns the shared secret r·A and a proof of version 1 that R = r·B, in base58. */
export function proveV1(
  {
    hash,
    secret,
    A,
    B = G_BYTES,
  }: { hash: Uint8Array; secret: Uint8Array; A: Uint8Array; B?: Uint8Array | undefined },
  backend: CryptoBackend,
): string {
  const k = randomScalar();
  const D = multiple(backend, secret, A);
  const X = multiple(backend, encodeScalar(k), B);
  const Y = multiple(backend, encodeScalar(k), A);
  const c = hashToScalar(hash, D, X, Y);
  return encodeBase58(D) + encodeBase58(answer(k, c, secret));
}
