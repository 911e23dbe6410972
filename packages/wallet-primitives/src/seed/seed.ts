import { assertBytes, assertString } from '@monero-node/codec/bytes';
import { SeedError } from '../errors.ts';
import { LANGUAGE_SIZE, type SeedLanguage } from './language.ts';

/** Words of a seed without and with a checksum. */
const WORDS = 24;
const WORDS_WITH_CHECKSUM = 25;
const SECRET_SIZE = 32;
/** Longest text that is looked at; 25 words have at most 300 characters. */
const MAX_TEXT = 4096;

/** A seed that was read. */
export interface DecodedSeed {
  /** 32 bytes, not reduced: an account's spend key is these bytes modulo l. */
  readonly secret: Uint8Array;
  readonly language: SeedLanguage;
}

/**
 * Returns the 25 words of 32 bytes, the last of which is a checksum.
 * Throws RangeError for another number of bytes, and TypeError for anything but bytes. Source: bytes_to_words in src/mnemonics/electrum-words.cpp.
 */
export function encodeSeed(secret: Uint8Array, language: SeedLanguage): string {
  assertBytes(secret, 'secret', SECRET_SIZE);
  const view = new DataView(secret.buffer, secret.byteOffset, SECRET_SIZE);
  const positions: number[] = [];
  for (let at = 0; at < SECRET_SIZE; at += 4) {
    const value = view.getUint32(at, true);
    const first = value % LANGUAGE_SIZE;
    const second = (Math.floor(value / LANGUAGE_SIZE) + first) % LANGUAGE_SIZE;
    const third = (Math.floor(value / LANGUAGE_SIZE ** 2) + second) % LANGUAGE_SIZE;
    positions.push(first, second, third);
  }
  const words = positions.map((position) => language.words[position] as string);
  return [...words, words[checksumIndex(words, language)]].join(' ');
}

/**
 * Returns the 32 bytes of 25 words, or of 24 without a checksum, and the language they are in. With a checksum, words may
 * be shortened to the prefixes that their language needs; case does not matter. Words of any other number are refused, as
 * monerod's wallets refuse them: the 12 and 13 words of old web wallets have 16 bytes.
 *
 * @param languages the lists to try, in this order; all that monerod has are in `@monero-node/wallet-primitives/words`
 * Throws SeedError, and TypeError for anything but a string. Source: words_to_bytes in src/mnemonics/electrum-words.cpp.
 */
export function decodeSeed(text: string, languages: readonly SeedLanguage[]): DecodedSeed {
  assertString(text, 'text');
  if (text.length > MAX_TEXT) throw new SeedError('word-count', 'the text is too long for a seed');
  const words = text.split(/[ \t\r\n]+/).filter((word) => word !== '');
  if (words.length !== WORDS && words.length !== WORDS_WITH_CHECKSUM) {
    const hint = words.length === 12 || words.length === 13 ? ', a seed of old web wallets' : '';
    throw new SeedError('word-count', `24 or 25 words expected, not ${words.length}${hint}`);
  }
  const { language, positions } = findLanguage(words, languages);
  return { secret: toSecret(positions.slice(0, WORDS)), language };
}

interface Match {
  readonly language: SeedLanguage;
  readonly positions: readonly number[];
}

/** Returns the first language that has all words and whose checksum fits. */
function findLanguage(words: readonly string[], languages: readonly SeedLanguage[]): Match {
  let bestPosition = -1;
  let sawBadChecksum = false;
  for (const language of languages) {
    const positions: number[] = [];
    for (const word of words) {
      const position = words.length === WORDS ? language.find(word) : language.findPrefix(word);
      if (position === undefined) break;
      positions.push(position);
    }
    if (positions.length < words.length) {
      bestPosition = Math.max(bestPosition, positions.length);
    } else if (words.length === WORDS || hasGoodChecksum(words, language)) {
      return { language, positions };
    } else {
      sawBadChecksum = true;
    }
  }
  if (sawBadChecksum) throw new SeedError('checksum', 'the checksum of the seed differs');
  if (bestPosition === -1) throw new SeedError('unknown-word', 'no language to read the seed in');
  throw new SeedError(
    'unknown-word',
    `word ${bestPosition + 1} is in no list that has the words before it`,
    bestPosition,
  );
}

function hasGoodChecksum(words: readonly string[], language: SeedLanguage): boolean {
  const seed = words.slice(0, WORDS);
  const checksum = language.findPrefix(words[WORDS] as string);
  return language.findPrefix(seed[checksumIndex(seed, language)] as string) === checksum;
}

/** Returns which of the words is repeated at the end. */
function checksumIndex(words: readonly string[], language: SeedLanguage): number {
  const prefixes = words.map((word) => language.prefixOf(word) as string);
  return crc32(new TextEncoder().encode(prefixes.join(''))) % words.length;
}

/** Returns the bytes of three positions for each four bytes. */
function toSecret(positions: readonly number[]): Uint8Array {
  const secret = new Uint8Array(SECRET_SIZE);
  const view = new DataView(secret.buffer);
  for (let i = 0; i < positions.length; i += 3) {
    const [first, second, third] = positions.slice(i, i + 3) as [number, number, number];
    const difference = (a: number, b: number) => (LANGUAGE_SIZE - a + b) % LANGUAGE_SIZE;
    const value =
      first +
      LANGUAGE_SIZE * difference(first, second) +
      LANGUAGE_SIZE ** 2 * difference(second, third);
    // 1626³ exceeds 2^32; upstream notices most of the values that wrap by this.
    const wrapped = value % 2 ** 32;
    if (wrapped % LANGUAGE_SIZE !== first) {
      const place = `words ${i + 1} to ${i + 3}`;
      throw new SeedError('impossible-words', `${place} stand for no number of 32 bits`);
    }
    view.setUint32((i / 3) * 4, wrapped, true);
  }
  return secret;
}

/** The polynomial of CRC-32 (ISO 3309), bits reversed. */
const POLYNOMIAL = 0xedb88320;

/** Returns the CRC-32 of bytes, an unsigned 32-bit number. */
export function crc32(bytes: Uint8Array): number {
  let crc = 0xffffffff;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ (crc & 1 ? POLYNOMIAL : 0);
  }
  return (crc ^ 0xffffffff) >>> 0;
}
