import { pbkdf2Sync } from 'node:crypto';
import { fromHex, toHex } from '@monero-node/codec';
import fc from 'fast-check';
import { SeedError } from '../errors.ts';
import { englishPolyseed } from '../polyseed-words/english.ts';
import { POLYSEED_LANGUAGES } from '../polyseed-words/index.ts';
import { spanishPolyseed } from '../polyseed-words/spanish.ts';
import type { PolyseedData } from './polynomial.ts';
import {
  createPolyseed,
  cryptPolyseed,
  decodePolyseed,
  encodePolyseed,
  isPolyseedEncrypted,
  polyseedKey,
  polyseedTime,
} from './polyseed.ts';
import { loadPolyseed, storePolyseed } from './storage.ts';

// Values of tests/tests.c of tevador/polyseed: random bytes, times, phrases, and what goes into PBKDF2.
const AEON = 1;
const SEED_1 = createPolyseed({
  random: fromHex('dd76e7359a0ded37cd0ff0f3c829a5ae0167f3'),
  time: 1_638_446_400,
});
const SEED_2 = createPolyseed({
  random: fromHex('5a2b02df 7db21fcb e6ec6df1 37d54c7b 20fd2b'.replaceAll(' ', '')),
  time: 3_118_651_200,
});
const SEED_3 = createPolyseed({
  random: fromHex('67b936dfa4da6ae8d3b3cdb3b937f4027b0e3b'),
  time: 4_305_268_800,
  features: 1,
});
const ENGLISH =
  'raven tail swear infant grief assist regular lamp duck valid someone little harsh puppy airport language';
const SPANISH =
  'eje fin parte célebre tabú pestaña lienzo puma prisión hora regalo lengua existir lápiz lote sonoro';

function codeOf(decode: () => unknown): string | undefined {
  try {
    decode();
    return undefined;
  } catch (error) {
    if (error instanceof SeedError) return error.code;
    throw error;
  }
}

function decode(text: string, features = 0): PolyseedData {
  return decodePolyseed(text, POLYSEED_LANGUAGES, { features }).seed;
}

describe('phrases', () => {
  test('are those of the C library', () => {
    expect(encodePolyseed(SEED_1, englishPolyseed)).toBe(ENGLISH);
    expect(encodePolyseed(SEED_2, spanishPolyseed)).toBe(SPANISH.normalize('NFC'));
    expect(decode(ENGLISH)).toEqual(SEED_1);
    expect(decodePolyseed(SPANISH, POLYSEED_LANGUAGES)).toEqual({
      seed: SEED_2,
      language: spanishPolyseed,
    });
  });

  test.each([
    [
      'prefixes',
      'rave tail swea infan grie assi regul lamp duck vali some litt hars pupp airp langua',
    ],
    ['a space at the end', `${ENGLISH} `],
  ])('English: %s', (_, text) => {
    expect(decode(text)).toEqual(SEED_1);
  });

  test.each([
    ['composed', SPANISH.normalize('NFC')],
    ['decomposed', SPANISH.normalize('NFD')],
    [
      'without accents',
      'eje fin parte celebre tabu pestana lienzo puma prision hora regalo lengua existir lapiz lote sonoro',
    ],
    ['prefixes', 'eje fin part cele tabu pest lien puma pris hora rega leng exis lapi lote sono'],
  ])('Spanish: %s', (_, text) => {
    expect(decode(text)).toEqual(SEED_2);
  });

  test.each([
    ['a suffix', ENGLISH.replace('raven', 'ravexxx'), 'unknown-word'],
    ['a longer word', ENGLISH.replace('infant', 'infantile'), 'unknown-word'],
    ['a prefix of three letters', SPANISH.replace('tabú', 'tab'), 'unknown-word'],
    [
      'a shortened word with an accent at its end',
      SPANISH.replace('célebre', 'célé'),
      'unknown-word',
    ],
    ['a word in upper case', ENGLISH.replace('raven', 'Raven'), 'unknown-word'],
    ['fifteen words', ENGLISH.replace(' language', ''), 'word-count'],
    ['seventeen words', `${ENGLISH} raven`, 'word-count'],
    ['nothing', '', 'word-count'],
    ['long garbage', 'xxx '.repeat(100_000), 'word-count'],
    ['two words swapped', ENGLISH.replace('raven tail', 'tail raven'), 'checksum'],
  ])('refuses %s', (_, text, code) => {
    expect(codeOf(() => decode(text))).toBe(code);
  });

  test('names the position of an unknown word, and never the word', () => {
    expect(() => decode(ENGLISH.replace('swear', 'secretword'))).toThrow(
      expect.objectContaining({
        code: 'unknown-word',
        position: 2,
        message: expect.not.stringContaining('secretword'),
      }),
    );
  });

  test('asks for the language of words that are in two lists', () => {
    const text = 'impo sort usua cabi venu nobl oliv clim cont barr marc auto prod vaca torn fati';
    expect(codeOf(() => decode(text))).toBe('several-languages');
    expect(decodePolyseed(text, [spanishPolyseed]).language).toBe(spanishPolyseed);
  });

  test('of another coin have another checksum', () => {
    expect(codeOf(() => decodePolyseed(ENGLISH, POLYSEED_LANGUAGES, { coin: AEON }))).toBe(
      'checksum',
    );
    expect(() => decodePolyseed(ENGLISH, POLYSEED_LANGUAGES, { coin: 2048 })).toThrow(RangeError);
  });

  test.each(POLYSEED_LANGUAGES.map((language) => [language.englishName, language] as const))(
    '%s: 2048 words, each of which is found in every Unicode form',
    (_, language) => {
      expect(new Set(language.words).size).toBe(2048);
      const forms = ['NFC', 'NFD', 'NFKC', 'NFKD'] as const;
      const isFound = (word: string, i: number) =>
        forms.every((form) => language.find(word.normalize(form)) === i);
      expect(language.words.filter((word, i) => !isFound(word, i))).toEqual([]);
      for (const seed of [SEED_1, SEED_2]) {
        const text = encodePolyseed(seed, language);
        expect(decodePolyseed(text, POLYSEED_LANGUAGES)).toEqual({ seed, language });
      }
    },
  );

  test('any seed survives in any language', () => {
    fc.assert(
      fc.property(
        fc.uint8Array({ minLength: 19, maxLength: 19 }),
        fc.integer({ min: 0, max: 4_300_000_000 }),
        fc.constantFrom(...POLYSEED_LANGUAGES),
        (random, time, language) => {
          const seed = createPolyseed({ random, time });
          expect(decodePolyseed(encodePolyseed(seed, language), [language]).seed).toEqual(seed);
          expect(loadPolyseed(storePolyseed(seed))).toEqual(seed);
        },
      ),
      { numRuns: 50 },
    );
  });
});

describe('seeds', () => {
  test('know when they were made, to a twelfth of a year', () => {
    for (const [seed, time] of [
      [SEED_1, 1_638_446_400],
      [SEED_2, 3_118_651_200],
      [SEED_3, 4_305_268_800],
    ] as const) {
      expect(polyseedTime(seed)).toBeLessThanOrEqual(time);
      expect(polyseedTime(seed) + 2_630_000).toBeGreaterThan(time);
    }
    expect(createPolyseed({ time: 0 }).birthday).toBe(0);
    expect(createPolyseed().secret).toHaveLength(19);
  });

  test('with features are refused by those that do not know them', () => {
    const text = encodePolyseed(SEED_3, englishPolyseed);
    expect(codeOf(() => decode(text))).toBe('features');
    expect(decode(text, 1)).toEqual(SEED_3);
    expect(codeOf(() => loadPolyseed(storePolyseed(SEED_3)))).toBe('features');
    expect(loadPolyseed(storePolyseed(SEED_3), 1)).toEqual(SEED_3);
    expect(() => createPolyseed({ features: 8 })).toThrow(RangeError);
    expect(() => createPolyseed({ random: new Uint8Array(18) })).toThrow(RangeError);
  });

  test.each([
    [
      ...[SEED_1, 0, 'dd76e7359a0ded37cd0ff0f3c829a5ae01673300000000000000000000000000'],
      '504f4c5953454544206b657900ffffff00000000010000000000000000000000',
    ],
    [
      ...[SEED_2, 0, '5a2b02df7db21fcbe6ec6df137d54c7b20fd2b00000000000000000000000000'],
      '504f4c5953454544206b657900ffffff00000000330200000000000000000000',
    ],
    [
      ...[SEED_3, AEON, '67b936dfa4da6ae8d3b3cdb3b937f4027b0e3b00000000000000000000000000'],
      '504f4c5953454544206b657900ffffff01000000f70300000100000000000000',
    ],
  ] as [PolyseedData, number, string, string][])(
    'derive keys from what the C library derives them from',
    async (seed, coin, password, salt) => {
      const key = pbkdf2Sync(fromHex(password), fromHex(salt), 10_000, 32, 'sha256');
      expect(toHex(await polyseedKey(seed, { coin }))).toBe(key.toString('hex'));
    },
  );

  test('are encrypted and decrypted with a password', async () => {
    const encrypted = await cryptPolyseed(SEED_3, 'password');
    expect([isPolyseedEncrypted(SEED_3), isPolyseedEncrypted(encrypted)]).toEqual([false, true]);
    // The bytes of the password and the salt are those of tests.c.
    const salt = fromHex('504f4c5953454544206d61736b00ffff');
    const mask = pbkdf2Sync(fromHex('70617373776f7264'), salt, 10_000, 32, 'sha256');
    expect(encrypted.secret[0]).toBe(0x67 ^ (mask[0] as number));
    const text = encodePolyseed(encrypted, englishPolyseed, { coin: AEON });
    const read = decodePolyseed(text, POLYSEED_LANGUAGES, { coin: AEON, features: 1 }).seed;
    expect(await cryptPolyseed(read, 'password')).toEqual(SEED_3);
    expect(await cryptPolyseed(read, 'other')).not.toEqual(SEED_3);
    expect(loadPolyseed(storePolyseed(encrypted), 1)).toEqual(encrypted);
    await expect(polyseedKey(encrypted)).rejects.toThrow(RangeError);
  });

  test('a stored seed with any bit changed is refused', () => {
    const stored = storePolyseed(SEED_1);
    expect(toHex(stored.subarray(0, 8))).toBe('504f4c5953454544');
    for (let bit = 0; bit < 256; bit++) {
      const changed = stored.slice();
      changed[bit >> 3] = (changed[bit >> 3] as number) ^ (1 << (bit & 7));
      expect(codeOf(() => loadPolyseed(changed))).toMatch(/^(format|checksum|features)$/);
    }
    expect(codeOf(() => loadPolyseed(stored.subarray(1)))).toBe('format');
  });
});
