import { crc32 as nodeCrc32 } from 'node:zlib';
import { fromHex, toHex } from '@monero-node/codec';
import fc from 'fast-check';
import { SeedError } from '../errors.ts';
import { accountFromSeed } from '../keys/account.ts';
import { english } from '../words/english.ts';
import { englishOld } from '../words/english-old.ts';
import { german } from '../words/german.ts';
import { SEED_LANGUAGES } from '../words/index.ts';
import { crc32, decodeSeed, encodeSeed } from './seed.ts';
import { type RecordedSeed, recordedSeeds } from '../testing/fixtures.ts';

const WORDS = recordedSeeds('English')[0] as RecordedSeed;

function errorOf(decode: () => unknown): SeedError | undefined {
  try {
    decode();
    return undefined;
  } catch (error) {
    if (error instanceof SeedError) return error;
    throw error;
  }
}

const codeOf = (text: string) => errorOf(() => decodeSeed(text, SEED_LANGUAGES))?.code;

/** Returns a word in upper case, but for letters that would become two, such as ß. */
function upperCase(word: string): string {
  return [...word]
    .map((each) => (each.toUpperCase().length === 1 ? each.toUpperCase() : each))
    .join('');
}

test('crc32 is that of zlib', () => {
  fc.assert(fc.property(fc.uint8Array(), (bytes) => crc32(bytes) === nodeCrc32(bytes)));
});

describe.each(SEED_LANGUAGES.map((language) => [language.englishName, language] as const))(
  '%s',
  (name, language) => {
    test('words of real wallets stand for their keys', () => {
      const recorded = recordedSeeds(name);
      expect(recorded.length).toBe(language === englishOld ? 0 : 2);
      for (const { words, secret, viewSecret } of recorded) {
        const decoded = decodeSeed(words, SEED_LANGUAGES);
        expect(decoded.language).toBe(language);
        expect(toHex(decoded.secret)).toBe(secret);
        expect(toHex(accountFromSeed(decoded.secret).viewSecret)).toBe(viewSecret);
        expect(encodeSeed(decoded.secret, language)).toBe(words);
      }
    });

    test('has 1626 words that differ in their prefixes, but for the old list', () => {
      expect(new Set(language.words).size).toBe(1626);
      const found = language.words.filter((word, i) => language.findPrefix(word) === i);
      if (language === englishOld) expect(found.length).toBeLessThan(1626);
      else expect(found).toHaveLength(1626);
      const isFound = (word: string, i: number) =>
        [word, word.normalize('NFD'), upperCase(word)].every((each) => language.find(each) === i);
      expect(language.words.filter((word, i) => !isFound(word, i))).toEqual([]);
    });

    test('any seed survives, with a checksum and without', () => {
      fc.assert(
        fc.property(fc.uint8Array({ minLength: 32, maxLength: 32 }), (secret) => {
          const words = encodeSeed(secret, language);
          const list = words.split(' ');
          expect(list).toHaveLength(25);
          const without = list.slice(0, 24).join('\n ');
          expect(decodeSeed(without, [language]).secret).toEqual(secret);
          // The old list cannot tell all words apart by their prefixes, which a checksum makes count.
          if (language !== englishOld) expect(decodeSeed(words, [language]).secret).toEqual(secret);
        }),
        { numRuns: 20 },
      );
    });
  },
);

test('takes prefixes and any case with a checksum, and whole words without one', () => {
  const short = WORDS.words.split(' ').map((word) => word.slice(0, 3));
  expect(toHex(decodeSeed(short.join(' '), SEED_LANGUAGES).secret)).toBe(WORDS.secret);
  expect(toHex(decodeSeed(WORDS.words.toUpperCase(), SEED_LANGUAGES).secret)).toBe(WORDS.secret);
  const spaced = `\t${WORDS.words.replaceAll(' ', '\r\n')}  `;
  expect(toHex(decodeSeed(spaced, SEED_LANGUAGES).secret)).toBe(WORDS.secret);
  expect(codeOf(short.slice(0, 24).join(' '))).toBe('unknown-word');
});

test.each([0, 1, 11, 12, 13, 23, 26, 48, 49])('refuses %i words', (count) => {
  expect(codeOf(Array.from({ length: count }, () => 'abbey').join(' '))).toBe('word-count');
});

test('refuses a long text before it looks at it', () => {
  expect(codeOf('abbey '.repeat(1_000_000))).toBe('word-count');
});

test('names the position of an unknown word, and never the word', () => {
  const list = WORDS.words.split(' ');
  list[7] = 'qqqqqq';
  const error = errorOf(() => decodeSeed(list.join(' '), SEED_LANGUAGES));
  expect(error).toMatchObject({ code: 'unknown-word', position: 7 });
  expect(error?.message).toContain('word 8');
  expect(error?.message).not.toContain('qqqqqq');
  expect(errorOf(() => decodeSeed(WORDS.words, []))?.code).toBe('unknown-word');
});

test('refuses two words swapped, unless the same word is repeated at the end, and a wrong last word', () => {
  const list = WORDS.words.split(' ');
  const swapped = Array.from({ length: 23 }, (_, i) => {
    const [first, second] = list.slice(i, i + 2) as [string, string];
    return codeOf([...list.slice(0, i), second, first, ...list.slice(i + 2)].join(' '));
  });
  expect(swapped.filter((code) => code === 'checksum').length).toBeGreaterThan(18);
  const other = list.slice(0, 24).find((word) => word !== list[24]) as string;
  expect(codeOf([...list.slice(0, 24), other].join(' '))).toBe('checksum');
});

test('refuses words that stand for no number of 32 bits', () => {
  // 1625 + 1626·1625 + 1626²·1625 = 1626³ - 1 is above 2^32.
  const [first, second, third] = [1625, 1624, 1623].map((i) => english.words[i]);
  const text = Array.from({ length: 8 }, () => `${first} ${second} ${third}`).join(' ');
  expect(codeOf(text)).toBe('impossible-words');
});

test('writes German nouns as the list has them', () => {
  const words = encodeSeed(fromHex('11'.repeat(32)), german);
  expect(words).toMatch(/[A-Z]/);
  expect(decodeSeed(words.toLowerCase(), [german]).secret).toEqual(fromHex('11'.repeat(32)));
  expect(() => encodeSeed(new Uint8Array(31), german)).toThrow(RangeError);
});
