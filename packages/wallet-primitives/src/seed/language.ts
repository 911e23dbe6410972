/** A list of words for seeds of 24 or 25 words. */
export interface SeedLanguage {
  /** The name in the language itself. */
  readonly name: string;
  readonly englishName: string;
  /** Words differ in their first characters (code points), of which there are this many. */
  readonly prefixLength: number;
  /** 1626 words; a seed's numbers are positions in this list. */
  readonly words: readonly string[];
  /** Returns the position of a word, or undefined. Case does not matter. */
  find(word: string): number | undefined;
  /** Returns the position of the word with this prefix, or undefined. Case does not matter. */
  findPrefix(word: string): number | undefined;
  /** Returns the part of a word, as the list writes it, that counts for the checksum; undefined for an unknown prefix. */
  prefixOf(word: string): string | undefined;
}

/** Words in a list. Source: NWORDS in src/mnemonics/language_base.h. */
export const LANGUAGE_SIZE = 1626;

interface LanguageData {
  readonly name: string;
  readonly englishName: string;
  readonly prefixLength: number;
  /** The words with spaces between them. */
  readonly words: string;
}

/** Returns the first characters (code points) of a word. */
function firstCharacters(word: string, count: number): string {
  return [...word].slice(0, count).join('');
}

/**
 * Upstream compares lower-case characters one by one and does not normalize; its lists hold composed characters only, so
 * composing first accepts more ways to type the same word.
 */
function canonical(word: string): string {
  return [...word.normalize('NFC')].map(lowerCase).join('');
}

/** Returns a character in lower case, unless that would be several characters. */
function lowerCase(character: string): string {
  const lower = character.toLowerCase();
  return [...lower].length === 1 ? lower : character;
}

class WordList implements SeedLanguage {
  readonly name: string;
  readonly englishName: string;
  readonly prefixLength: number;
  readonly #text: string;
  #words: readonly string[] | undefined;
  #positions: ReadonlyMap<string, number> | undefined;
  #prefixes: ReadonlyMap<string, { position: number; prefix: string }> | undefined;

  constructor({ name, englishName, prefixLength, words }: LanguageData) {
    this.name = name;
    this.englishName = englishName;
    this.prefixLength = prefixLength;
    this.#text = words;
  }

  get words(): readonly string[] {
    return (this.#words ??= this.#text.split(' '));
  }

  find(word: string): number | undefined {
    this.#positions ??= new Map(this.words.map((each, i) => [canonical(each), i]));
    return this.#positions.get(canonical(word));
  }

  findPrefix(word: string): number | undefined {
    return this.#lookUp(word)?.position;
  }

  prefixOf(word: string): string | undefined {
    return this.#lookUp(word)?.prefix;
  }

  #lookUp(word: string): { position: number; prefix: string } | undefined {
    this.#prefixes ??= this.#prefixMap();
    return this.#prefixes.get(canonical(firstCharacters(word.normalize('NFC'), this.prefixLength)));
  }

  /** Where two words share a prefix, the later position counts and the spelling of the earlier, as upstream. */
  #prefixMap(): Map<string, { position: number; prefix: string }> {
    const map = new Map<string, { position: number; prefix: string }>();
    for (const [position, word] of this.words.entries()) {
      const prefix = firstCharacters(word, this.prefixLength);
      const key = canonical(prefix);
      map.set(key, { position, prefix: map.get(key)?.prefix ?? prefix });
    }
    return map;
  }
}

/** Returns a language; its words are split and indexed when they are first used. */
export function createLanguage(data: LanguageData): SeedLanguage {
  return new WordList(data);
}
