/** A list of words for seeds of 16 words. Source: polyseed_lang in src/lang.h of tevador/polyseed. */
export interface PolyseedLanguage {
  /** The name in the language itself. */
  readonly name: string;
  readonly englishName: string;
  /** The separator of words: a space, or an ideographic one. */
  readonly separator: string;
  /** Whether accents are written out. Otherwise words are written in decomposed form, as the list has them. */
  readonly composes: boolean;
  /** 2048 words in composed form; a seed's numbers are positions in this list. */
  readonly words: readonly string[];
  /** Returns the position of a word in any Unicode form, or undefined. Case matters. */
  find(word: string): number | undefined;
}

interface LanguageData {
  readonly name: string;
  readonly englishName: string;
  readonly separator?: string;
  /** Whether four letters of a word are enough. */
  readonly hasPrefix: boolean;
  /** Whether words may be typed without their accents. */
  readonly hasAccents: boolean;
  readonly composes: boolean;
  /** The words with spaces between them. */
  readonly words: string;
}

/** Letters that are enough for a word. Source: NUM_CHARS_PREFIX in src/lang.c. */
const PREFIX_LENGTH = 4;
/** Everything but ASCII: what is left of an accent in decomposed form. */
const ACCENTS = /[^\0-\x7f]/g;

class WordList implements PolyseedLanguage {
  readonly name: string;
  readonly englishName: string;
  readonly separator: string;
  readonly composes: boolean;
  readonly #data: LanguageData;
  #words: readonly string[] | undefined;
  #positions: ReadonlyMap<string, number> | undefined;

  constructor(data: LanguageData) {
    this.name = data.name;
    this.englishName = data.englishName;
    this.separator = data.separator ?? ' ';
    this.composes = data.composes;
    this.#data = data;
  }

  get words(): readonly string[] {
    return (this.#words ??= this.#data.words.split(' '));
  }

  find(word: string): number | undefined {
    const { hasPrefix } = this.#data;
    const decomposed = word.normalize('NFKD');
    const typed = this.#comparable(decomposed);
    // Words of the lists differ in their first four letters.
    this.#positions ??= new Map(
      this.words.map((each, i) => [this.#indexed(this.#comparable(each.normalize('NFKD'))), i]),
    );
    const position = this.#positions.get(this.#indexed(typed));
    if (position === undefined) return undefined;
    const whole = this.#comparable((this.words[position] as string).normalize('NFKD'));
    if (typed === whole) return position;
    // A shortened word must not end in an accent: upstream then compares it as a whole.
    const isShortened = hasPrefix && typed.length >= PREFIX_LENGTH && whole.startsWith(typed);
    return isShortened && decomposed.charCodeAt(decomposed.length - 1) < 0x80
      ? position
      : undefined;
  }

  #comparable(decomposed: string): string {
    return this.#data.hasAccents ? decomposed.replace(ACCENTS, '') : decomposed;
  }

  #indexed(comparable: string): string {
    return this.#data.hasPrefix ? comparable.slice(0, PREFIX_LENGTH) : comparable;
  }
}

/** Returns a language; its words are split and indexed when they are first used. */
export function createPolyseedLanguage(data: LanguageData): PolyseedLanguage {
  return new WordList(data);
}
