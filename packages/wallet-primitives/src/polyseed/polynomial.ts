/** The polynomial over GF(2^11) whose coefficients are the words of a seed. Source: src/gf.c of tevador/polyseed. */

/** Words of a seed: a checksum and 15 of data. */
export const POLYSEED_WORDS = 16;
/** Bits of the secret in a word of data; one bit of birthday and features follows. */
const SECRET_BITS_PER_WORD = 10;
const DATA_WORDS = POLYSEED_WORDS - 1;
/** Bytes of a secret, of which the last has six bits. */
export const POLYSEED_SECRET_SIZE = 19;
const LAST_BYTE_BITS = 6;
const BIRTHDAY_BITS = 10;
/** The reduction polynomial, x^11 + x^2 + 1. */
const REDUCTION = 0x805;
const FIELD_LIMIT = 0x800;

/** The data of a seed. */
export interface PolyseedData {
  /** 19 bytes; the two highest bits of the last are 0. */
  readonly secret: Uint8Array;
  /** Twelfths of a year since November 2021, below 1024. */
  readonly birthday: number;
  /** Five bits. The highest marks an encrypted seed, the lowest three are for the wallet. */
  readonly features: number;
}

function timesTwo(element: number): number {
  const doubled = element << 1;
  return doubled < FIELD_LIMIT ? doubled : doubled ^ REDUCTION;
}

/** Returns the value of the polynomial at x = 2, below 2048; 0 for a seed whose checksum is right. */
export function evaluate(coefficients: readonly number[]): number {
  return coefficients.reduceRight((sum, coefficient) => timesTwo(sum) ^ coefficient, 0);
}

/** Returns the coefficients of data, the checksum first: 16 numbers below 2048. */
export function toCoefficients({ secret, birthday, features }: PolyseedData): number[] {
  let bits = 0n;
  for (const byte of secret.subarray(0, -1)) bits = (bits << 8n) | BigInt(byte);
  bits = (bits << BigInt(LAST_BYTE_BITS)) | BigInt(secret[POLYSEED_SECRET_SIZE - 1] as number);
  const extra = (features << BIRTHDAY_BITS) | birthday;
  const coefficients = [0];
  for (let left = DATA_WORDS - 1; left >= 0; left--) {
    const share = Number((bits >> BigInt(left * SECRET_BITS_PER_WORD)) & 0x3ffn);
    coefficients.push((share << 1) | ((extra >> left) & 1));
  }
  coefficients[0] = evaluate(coefficients);
  return coefficients;
}

/** Returns the data of 16 coefficients below 2048. */
export function fromCoefficients(coefficients: readonly number[]): PolyseedData {
  let bits = 0n;
  let extra = 0;
  for (const coefficient of coefficients.slice(1)) {
    bits = (bits << BigInt(SECRET_BITS_PER_WORD)) | BigInt(coefficient >> 1);
    extra = (extra << 1) | (coefficient & 1);
  }
  const secret = new Uint8Array(POLYSEED_SECRET_SIZE);
  secret[POLYSEED_SECRET_SIZE - 1] = Number(bits & 0x3fn);
  bits >>= BigInt(LAST_BYTE_BITS);
  for (let i = POLYSEED_SECRET_SIZE - 2; i >= 0; i--, bits >>= 8n) secret[i] = Number(bits & 0xffn);
  return { secret, birthday: extra & 0x3ff, features: extra >> BIRTHDAY_BITS };
}
