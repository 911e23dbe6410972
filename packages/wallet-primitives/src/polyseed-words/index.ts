import type { PolyseedLanguage } from '../polyseed/language.ts';
import { chineseSimplifiedPolyseed } from './chinese-simplified.ts';
import { chineseTraditionalPolyseed } from './chinese-traditional.ts';
import { czechPolyseed } from './czech.ts';
import { englishPolyseed } from './english.ts';
import { frenchPolyseed } from './french.ts';
import { italianPolyseed } from './italian.ts';
import { japanesePolyseed } from './japanese.ts';
import { koreanPolyseed } from './korean.ts';
import { portuguesePolyseed } from './portuguese.ts';
import { spanishPolyseed } from './spanish.ts';

/** All lists of polyseed. Source: languages in src/lang.c of tevador/polyseed. */
export const POLYSEED_LANGUAGES: readonly PolyseedLanguage[] = [
  englishPolyseed,
  japanesePolyseed,
  koreanPolyseed,
  spanishPolyseed,
  frenchPolyseed,
  italianPolyseed,
  czechPolyseed,
  portuguesePolyseed,
  chineseSimplifiedPolyseed,
  chineseTraditionalPolyseed,
];
