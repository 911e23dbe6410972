import { checkOptions, OPTIONAL, type OptionTable } from '@monero-node/base/options';
import { assertBytes } from '@monero-node/codec/bytes';
import { pbkdf2Async } from '@noble/hashes/pbkdf2.js';
import { sha256 } from '@noble/hashes/sha2.js';
import { randomBytes } from '@noble/hashes/utils.js';
import { SeedError } from '../errors.ts';
import type { PolyseedLanguage } from './language.ts';
import {
  evaluate,
  fromCoefficients,
  POLYSEED_SECRET_SIZE,
  POLYSEED_WORDS,
  type PolyseedData,
  toCoefficients,
} from './polynomial.ts';

/** The number that Monero has among the coins of polyseed. */
const MONERO = 0;
/** 1 November 2021, 12:00 UTC, in seconds since 1970. */
const EPOCH = 1_635_768_000;
/** A twelfth of the Gregorian year, in seconds. */
const TIME_STEP = 2_629_746;
const BIRTHDAY_LIMIT = 1024;
const COIN_LIMIT = 2048;
const ENCRYPTED = 16;
/** Features that a wallet may define. */
const USER_FEATURES = 7;
const ITERATIONS = 10_000;
/** Longest text that is looked at; 16 words have at most 360 bytes. */
const MAX_TEXT = 2048;

/** Options of {@link createPolyseed}. */
export interface CreatePolyseedOptions {
  /** Seconds since 1970: the birthday is this, rounded down to a twelfth of a year. Now by default. */
  readonly time?: number;
  /** 19 bytes, of which 150 bits are used. */
  readonly random?: Uint8Array;
  /** Three bits that the wallet defines. */
  readonly features?: number;
}

/** Options of {@link encodePolyseed}. */
export interface PolyseedCoinOptions {
  /** The coin's number in polyseed, 0 (Monero) by default. */
  readonly coin?: number;
}

/** Options of {@link decodePolyseed}. */
export interface DecodePolyseedOptions extends PolyseedCoinOptions {
  /** The bits (0 to 7) that the wallet knows; a seed with others is refused. None by default. */
  readonly features?: number;
}

/** Options of {@link polyseedKey}. */
export interface PolyseedKeyOptions extends PolyseedCoinOptions {
  /** Bytes of the key, 32 by default. */
  readonly size?: number;
}

const CREATE: OptionTable<CreatePolyseedOptions> = {
  time: OPTIONAL,
  random: OPTIONAL,
  features: OPTIONAL,
};
const COIN: OptionTable<PolyseedCoinOptions> = { coin: OPTIONAL };
const DECODE: OptionTable<DecodePolyseedOptions> = { coin: OPTIONAL, features: OPTIONAL };
const KEY: OptionTable<PolyseedKeyOptions> = { coin: OPTIONAL, size: OPTIONAL };

/**
 * Returns a new seed from the system's secure random source. Throws RangeError for features outside 0 to 7 or another number
 * of random bytes, and OptionError for an unknown option.
 */
export function createPolyseed(options: CreatePolyseedOptions = {}): PolyseedData {
  checkOptions('createPolyseed', options, CREATE);
  const { time = Math.floor(Date.now() / 1000), features = 0 } = options;
  const { random = randomBytes(POLYSEED_SECRET_SIZE) } = options;
  if ((features & USER_FEATURES) !== features) throw new RangeError('features from 0 to 7');
  assertBytes(random, 'random', POLYSEED_SECRET_SIZE);
  const secret = random.slice();
  secret[POLYSEED_SECRET_SIZE - 1] = (secret[POLYSEED_SECRET_SIZE - 1] as number) & 0x3f;
  const steps = Math.max(0, Math.floor((time - EPOCH) / TIME_STEP));
  return { secret, birthday: steps % BIRTHDAY_LIMIT, features };
}

/** Returns when the seed was made, at most a twelfth of a year later, in seconds since 1970. */
export function polyseedTime({ birthday }: PolyseedData): number {
  return EPOCH + birthday * TIME_STEP;
}

/** Returns whether the secret is encrypted with a password: no key may be made of it before it is decrypted. */
export function isPolyseedEncrypted({ features }: PolyseedData): boolean {
  return (features & ENCRYPTED) !== 0;
}

/** Returns the 16 words of a seed. Throws RangeError for an unknown coin, and OptionError for an unknown option. */
export function encodePolyseed(
  seed: PolyseedData,
  language: PolyseedLanguage,
  options: PolyseedCoinOptions = {},
): string {
  checkOptions('encodePolyseed', options, COIN);
  const { coin = MONERO } = options;
  const words = withCoin(toCoefficients(seed), coin).map((i) => language.words[i] as string);
  const text = words.join(language.separator);
  return text.normalize(language.composes ? 'NFC' : 'NFKD');
}

/**
 * Returns the seed of 16 words. Accents may be missing and words be shortened to four letters where the language allows
 * it; text in any Unicode form will do.
 *
 * @param languages the lists to try; all are in `@monero-node/wallet-primitives/polyseed-words`. With several lists,
 *   words that are in two of them are refused: name the one that is meant.
 *
 * Throws SeedError, and OptionError for an unknown option. Source: polyseed_decode in src/polyseed.c of tevador/polyseed.
 */
export function decodePolyseed(
  text: string,
  languages: readonly PolyseedLanguage[],
  options: DecodePolyseedOptions = {},
): { readonly seed: PolyseedData; readonly language: PolyseedLanguage } {
  checkOptions('decodePolyseed', options, DECODE);
  const { coin = MONERO, features = 0 } = options;
  if (text.length > MAX_TEXT) throw new SeedError('word-count', 'the text is too long for a seed');
  const words = text
    .normalize('NFKD')
    .split(' ')
    .filter((word) => word !== '');
  if (words.length !== POLYSEED_WORDS) {
    throw new SeedError('word-count', `16 words expected, not ${words.length}`);
  }
  const { positions, language } = findLanguage(words, languages);
  const coefficients = withCoin(positions, coin);
  if (evaluate(coefficients) !== 0)
    throw new SeedError('checksum', 'the checksum of the seed differs');
  const seed = fromCoefficients(coefficients);
  checkFeatures(seed, features);
  return { seed, language };
}

/** Returns positions with the coin mixed into the second, which undoes itself. */
function withCoin(positions: readonly number[], coin: number): number[] {
  if (!Number.isInteger(coin) || coin < 0 || coin >= COIN_LIMIT)
    throw new RangeError('unknown coin');
  return positions.map((position, i) => (i === 1 ? position ^ coin : position));
}

function findLanguage(
  words: readonly string[],
  languages: readonly PolyseedLanguage[],
): { positions: number[]; language: PolyseedLanguage } {
  let furthest = 0;
  const matches = languages.flatMap((language) => {
    const positions: number[] = [];
    for (const word of words) {
      const position = language.find(word);
      if (position === undefined) break;
      positions.push(position);
    }
    furthest = Math.max(furthest, positions.length);
    return positions.length === words.length ? [{ positions, language }] : [];
  });
  const [match, other] = matches;
  if (match === undefined) {
    const message = `word ${furthest + 1} is in no list that has the words before it`;
    throw new SeedError('unknown-word', message, furthest);
  }
  if (other !== undefined) {
    const names = matches.map(({ language }) => language.englishName).join(' and ');
    throw new SeedError('several-languages', `the words fit ${names}`);
  }
  return match;
}

function checkFeatures({ features }: PolyseedData, known: number): void {
  if ((features & ~(ENCRYPTED | (known & USER_FEATURES))) !== 0) {
    throw new SeedError('features', 'the seed uses features that are not known here');
  }
}

/**
 * Returns a key of `options.size` bytes (32 by default), derived in 10,000 rounds of PBKDF2. A Monero account's spend key is this
 * modulo l.
 * Rejects with RangeError for an encrypted seed, and with OptionError for an unknown option. Source: polyseed_keygen in src/polyseed.c of tevador/polyseed.
 */
export async function polyseedKey(
  seed: PolyseedData,
  options: PolyseedKeyOptions = {},
): Promise<Uint8Array> {
  checkOptions('polyseedKey', options, KEY);
  const { coin = MONERO, size = 32 } = options;
  if (isPolyseedEncrypted(seed)) throw new RangeError('the seed is encrypted');
  const salt = new Uint8Array(32);
  salt.set(new TextEncoder().encode('POLYSEED key'));
  salt.fill(0xff, 13, 16);
  const view = new DataView(salt.buffer);
  view.setUint32(16, coin, true);
  view.setUint32(20, seed.birthday, true);
  view.setUint32(24, seed.features, true);
  const password = new Uint8Array(32);
  password.set(seed.secret);
  return pbkdf2Async(sha256, password, salt, { c: ITERATIONS, dkLen: size });
}

/**
 * Returns the seed encrypted with a password or, if it is encrypted, decrypted with it. Any password will do to decrypt:
 * a wrong one leads to another seed. Source: polyseed_crypt in src/polyseed.c of tevador/polyseed.
 */
export async function cryptPolyseed(seed: PolyseedData, password: string): Promise<PolyseedData> {
  const salt = new Uint8Array(16);
  salt.set(new TextEncoder().encode('POLYSEED mask'));
  salt.fill(0xff, 14);
  const typed = new TextEncoder().encode(password.normalize('NFKD'));
  const mask = await pbkdf2Async(sha256, typed, salt, { c: ITERATIONS, dkLen: 32 });
  const secret = seed.secret.map((byte, i) => byte ^ (mask[i] as number));
  secret[POLYSEED_SECRET_SIZE - 1] = (secret[POLYSEED_SECRET_SIZE - 1] as number) & 0x3f;
  return { secret, birthday: seed.birthday, features: seed.features ^ ENCRYPTED };
}
