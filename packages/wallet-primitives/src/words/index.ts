import type { SeedLanguage } from '../seed/language.ts';
import { chineseSimplified } from './chinese-simplified.ts';
import { dutch } from './dutch.ts';
import { englishOld } from './english-old.ts';
import { english } from './english.ts';
import { esperanto } from './esperanto.ts';
import { french } from './french.ts';
import { german } from './german.ts';
import { italian } from './italian.ts';
import { japanese } from './japanese.ts';
import { lojban } from './lojban.ts';
import { portuguese } from './portuguese.ts';
import { russian } from './russian.ts';
import { spanish } from './spanish.ts';

/**
 * All lists that monerod's wallets know, in the order in which they are tried. The last is only for reading.
 * Source: find_seed_language in src/mnemonics/electrum-words.cpp.
 */
export const SEED_LANGUAGES: readonly SeedLanguage[] = [
  chineseSimplified,
  english,
  dutch,
  french,
  spanish,
  german,
  italian,
  portuguese,
  japanese,
  russian,
  esperanto,
  lojban,
  englishOld,
];
