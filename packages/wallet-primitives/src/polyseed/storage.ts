import { assertBytes } from '@monero-node/codec/bytes';
import { SeedError } from '../errors.ts';
import { evaluate, POLYSEED_SECRET_SIZE, type PolyseedData, toCoefficients } from './polynomial.ts';

/** The form of 32 bytes in which wallets keep a polyseed. Source: src/storage.c of tevador/polyseed. */

const SIZE = 32;
const HEADER = new TextEncoder().encode('POLYSEED');
const EXTRA_BYTE = 0xff;
const FOOTER = 0x7000;
const CHECKSUM_MASK = 0x7ff;
const KNOWN_FEATURES = 16;

/** Returns the stored form of a seed, 32 bytes. It is not encrypted unless the seed is. */
export function storePolyseed(seed: PolyseedData): Uint8Array {
  const bytes = new Uint8Array(SIZE);
  const view = new DataView(bytes.buffer);
  bytes.set(HEADER);
  view.setUint16(8, (seed.features << 10) | seed.birthday, true);
  bytes.set(seed.secret, 10);
  bytes[10 + POLYSEED_SECRET_SIZE] = EXTRA_BYTE;
  view.setUint16(30, FOOTER | (toCoefficients(seed)[0] as number), true);
  return bytes;
}

/**
 * Returns the seed of a stored form.
 *
 * @param features the bits (0 to 7) that the wallet knows; a seed with others is refused
 * Throws SeedError, and TypeError for anything but bytes.
 */
export function loadPolyseed(bytes: Uint8Array, features = 0): PolyseedData {
  const malformed = () => new SeedError('format', 'the stored seed is not well formed');
  assertBytes(bytes, 'bytes');
  if (bytes.length !== SIZE) throw malformed();
  const view = new DataView(bytes.buffer, bytes.byteOffset, SIZE);
  const [head, foot] = [view.getUint16(8, true), view.getUint16(30, true)];
  const secret = bytes.slice(10, 10 + POLYSEED_SECRET_SIZE);
  const isWellFormed =
    HEADER.every((byte, i) => bytes[i] === byte) &&
    head < 0x8000 &&
    (secret[POLYSEED_SECRET_SIZE - 1] as number) < 0x40 &&
    bytes[10 + POLYSEED_SECRET_SIZE] === EXTRA_BYTE &&
    (foot & ~CHECKSUM_MASK) === FOOTER;
  if (!isWellFormed) throw malformed();
  const seed = { secret, birthday: head & 0x3ff, features: head >> 10 };
  const coefficients = toCoefficients(seed);
  coefficients[0] = foot & CHECKSUM_MASK;
  if (evaluate(coefficients) !== 0)
    throw new SeedError('checksum', 'the checksum of the seed differs');
  if ((seed.features & ~(KNOWN_FEATURES | (features & 7))) !== 0) {
    throw new SeedError('features', 'the seed uses features that are not known here');
  }
  return seed;
}
