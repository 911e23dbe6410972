import type { OptionField } from './options/define-options.ts';
import {
  OPTION_ROWS,
  OPTIONS,
  optionNamed,
  type FieldsOf,
  type OptionName,
  type OptionValueOf,
} from './options/options.ts';
import { UsageError } from './usage-error.ts';

/** Value of an option: true for a switch, a checked integer, a text, or a list in the order given. */
export type OptionValue = boolean | string | number | readonly string[];
export type OptionValues = ReadonlyMap<string, OptionValue>;

type WordOption = 'crypto-backend' | 'pow-engine' | 'pow-dataset' | 'port-mapping' | 'seed-verify';
type WordOf<Name extends WordOption> = (typeof OPTION_ROWS)[Name]['words'][number];

/** Reads the options given and the defaults of the others. The table of options defines the type of each. */
export class OptionReader {
  readonly #values: OptionValues;

  constructor(values: OptionValues) {
    this.#values = values;
  }

  /** Returns whether an option was given, in the command line or the config file. */
  has(name: OptionName): boolean {
    return this.#values.has(name);
  }

  /** Returns the value of an option: the one given, or else its default; undefined when it has none. */
  get<Name extends OptionName>(name: Name): OptionValueOf<Name> {
    const value = this.#values.get(name) ?? defaultOf(name);
    // Values were checked against the kind of their option when they were parsed.
    return (isList(value) ? [...value] : value) as OptionValueOf<Name>;
  }

  /** Returns the value of an option that takes one of the words in its row. Throws UsageError, with the words, for any other. */
  word<Name extends WordOption>(name: Name): WordOf<Name> {
    const text = this.get(name);
    const words: readonly WordOf<Name>[] = OPTION_ROWS[name].words;
    const word = words.find((each) => each === text);
    if (word === undefined) {
      throw new UsageError(`Invalid ${name} '${text}': ${words.join(', ')} expected`);
    }
    return word;
  }

  /** Returns the values of all options whose rows name a field of the options of a part, by these fields. */
  fieldsOf<Part extends keyof OptionField>(part: Part): FieldsOf<Part> {
    const fields = OPTIONS.flatMap((option) => {
      const field = option[part];
      return field === undefined ? [] : [[field, this.get(option.name as OptionName)] as const];
    });
    return Object.fromEntries(fields) as FieldsOf<Part>;
  }
}

function isList(value: OptionValue | undefined): value is readonly string[] {
  return Array.isArray(value);
}

function defaultOf(name: OptionName): OptionValue | undefined {
  const row = OPTION_ROWS[name];
  if (row.kind === 'switch') return false;
  if (row.kind === 'list') return [];
  return 'default' in row ? row.default : undefined;
}

/** Returns warnings for ignored options. Throws UsageError for a refused one. */
export function supportWarnings(values: OptionReader): string[] {
  const given = OPTIONS.filter(({ name }) => values.has(name as OptionName));
  const refused = given.find((spec) => spec.support === 'refused');
  if (refused !== undefined) {
    const why = refused.reason === undefined ? ' in this version' : `: ${refused.reason}`;
    throw new UsageError(`--${refused.name} is not available${why}`);
  }
  return given
    .filter(({ support, metBy }) => support === 'ignored' && metBy !== true)
    .filter(({ name, metBy }) => metBy === undefined || values.get(name as OptionName) !== metBy)
    .map(
      ({ name, reason }) => `--${name} has no effect${reason === undefined ? '' : `: ${reason}`}`,
    );
}

/** Returns the options as words for a report, without the values that may be secret. */
export function shownOptions(values: OptionValues): string[] {
  return [...values].map(([name, value]) => {
    const { kind, isPlain = false } = optionNamed(name) ?? {};
    if (kind === 'switch') return `--${name}`;
    const shown = kind === 'integer' || isPlain ? String(value) : '(hidden)';
    return `--${name} ${shown}`;
  });
}
