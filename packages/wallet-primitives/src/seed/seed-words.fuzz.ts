import { bytesEqual } from '@monero-node/codec';
import { unlessRefused } from '@monero-node/codec/testing';
import { SeedError } from '../errors.ts';
import { decodePolyseed, encodePolyseed } from '../polyseed/polyseed.ts';
import { loadPolyseed, storePolyseed } from '../polyseed/storage.ts';
import { POLYSEED_LANGUAGES } from '../polyseed-words/index.ts';
import { recordedSeeds } from '../testing/fixtures.ts';
import { SEED_LANGUAGES } from '../words/index.ts';
import { decodeSeed, encodeSeed } from './seed.ts';

const secret = Uint8Array.from({ length: 19 }, (_, i) => (i < 18 ? 7 * i : 5));
const polyseed = { secret, birthday: 700, features: 0 };
const encode = (text: string) => new TextEncoder().encode(text);

/** Most words of 25 in any language, and twice that. */
export const maxLength = 1200;
export const seeds = [
  ...SEED_LANGUAGES.flatMap(({ englishName }) => recordedSeeds(englishName)).map(({ words }) =>
    encode(words),
  ),
  ...POLYSEED_LANGUAGES.map((language) => encode(encodePolyseed(polyseed, language))),
  storePolyseed(polyseed),
];
export const tokens = [
  ...SEED_LANGUAGES.flatMap(({ words }) => [words[0], words[1625]].map((word) => ` ${word ?? ''}`)),
  ...['POLYSEED', '  ', '\t', '\u3000', '\u0301', 'É', 'ñ'],
];

/** Words are refused with SeedError; those that are accepted stand for the seed that encodes to accepted words again. */
export function fuzz(input: Uint8Array): void {
  const text = new TextDecoder().decode(input);
  const seed = unlessRefused(() => decodeSeed(text, SEED_LANGUAGES), SeedError);
  if (seed !== undefined) {
    const again = decodeSeed(encodeSeed(seed.secret, seed.language), [seed.language]);
    if (!bytesEqual(again.secret, seed.secret)) throw new Error('another seed');
  }
  const words = unlessRefused(
    () => decodePolyseed(text, POLYSEED_LANGUAGES, { features: 7 }),
    SeedError,
  );
  if (words !== undefined) {
    const again = decodePolyseed(encodePolyseed(words.seed, words.language), [words.language], {
      features: 7,
    });
    if (!bytesEqual(storePolyseed(again.seed), storePolyseed(words.seed))) {
      throw new Error('another polyseed');
    }
  }
  const stored = unlessRefused(() => loadPolyseed(input, 7), SeedError);
  if (stored !== undefined && !bytesEqual(storePolyseed(stored), input)) {
    throw new Error('the stored form differs');
  }
}
