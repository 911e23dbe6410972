import { closest, distance } from 'fastest-levenshtein';
import type { OptionValue } from './given-options.ts';
import { MONEROD_OPTIONS } from './monerod-options.ts';
import type { OptionSpec } from './options/define-options.ts';
import { OPTIONS, optionNamed } from './options/options.ts';
import { UsageError } from './usage-error.ts';

/**
 * Returns the option that `typed` names: the option of that name, or the only one whose name begins with it. Undefined when
 * there is none. When several begin with it, the only one of `preferred` is meant. Names are written without `--`.
 *
 * Throws UsageError that lists the choices when several options can be meant.
 *
 * Source: boost program_options as monerod uses it; there the choices are those of monerod alone.
 *
 * @param preferred the names of monerod's options, so that a prefix that works there works here too
 */
export function optionMeant(
  typed: string,
  names: readonly string[],
  preferred: ReadonlySet<string> = new Set(),
): string | undefined {
  if (names.includes(typed)) return typed;
  const matches = typed === '' ? [] : names.filter((name) => name.startsWith(typed));
  if (matches.length <= 1) return matches[0];
  const [only, ...others] = matches.filter((name) => preferred.has(name));
  if (only !== undefined && others.length === 0) return only;
  const choices = matches.map((name) => `--${name}`).sort();
  const last = choices.pop();
  throw new UsageError(
    `option '--${typed}' is ambiguous and matches ${choices.join(', ')} and ${last}`,
    true,
  );
}

export interface ParsedArguments {
  readonly values: Map<string, OptionValue>;
  /** The other words, in order. */
  readonly words: string[];
}

/** Letters of a name for each mistyped one. */
const LETTERS_PER_MISTAKE = 4;

/** Returns a question that names the option that was probably meant; an empty text when none is near. */
export function suggestion(
  name: string,
  { prefix, options }: { prefix: string; options: readonly OptionSpec[] },
): string {
  const near = closest(
    name,
    options.map((option) => option.name),
  );
  const isNear = distance(name, near) <= name.length / LETTERS_PER_MISTAKE;
  return isNear ? `; did you mean ${prefix}${near}?` : '';
}

/** Reads one value. Throws UsageError for an integer out of its range. */
export function readValue(spec: OptionSpec, text: string): string | number {
  if (spec.kind !== 'integer') return text;
  const value = Number(text);
  const [low, high] = spec.range ?? [Number.MIN_SAFE_INTEGER, Number.MAX_SAFE_INTEGER];
  if (!/^-?\d+$/.test(text.trim()) || value < low || value > high) {
    const bounds = spec.range === undefined ? '' : ` from ${low} to ${high}`;
    throw new UsageError(
      `the argument ('${text}') for option '--${spec.name}' is invalid: it takes a whole number${bounds}`,
      true,
    );
  }
  return value;
}

/** Adds to a list or sets another value. Throws UsageError when a value that is not a list was already set. */
export function setValue(
  values: Map<string, OptionValue>,
  spec: OptionSpec,
  value: boolean | string | number,
): void {
  const known = values.get(spec.name);
  if (spec.kind === 'list') {
    const before = Array.isArray(known) ? (known as readonly string[]) : [];
    values.set(spec.name, [...before, String(value)]);
    return;
  }
  if (known !== undefined) {
    throw new UsageError(`option '--${spec.name}' cannot be specified more than once`, true);
  }
  values.set(spec.name, value);
}

const NAMES = OPTIONS.map(({ name }) => name);
const NAMES_OF_MONEROD = new Set(MONEROD_OPTIONS.map(({ name }) => name));

/** Returns the option that a name or an unambiguous prefix means. Throws UsageError when there is none, or are several. */
function optionOf(typed: string): OptionSpec {
  const spec = optionNamed(optionMeant(typed, NAMES, NAMES_OF_MONEROD) ?? '');
  if (spec !== undefined) return spec;
  const near = suggestion(typed, { prefix: '--', options: OPTIONS });
  throw new UsageError(`unrecognized option '--${typed}'${near}`, true);
}

/**
 * Reads `--name value`, `--name=value` and switches. A name may be cut short while it is unambiguous. Words after `--` are
 * no options.
 *
 * Throws UsageError with monerod's messages for unknown and ambiguous options and for missing, extra or invalid values.
 */
export function parseArguments(argv: readonly string[]): ParsedArguments {
  const values = new Map<string, OptionValue>();
  const words: string[] = [];
  for (let i = 0; i < argv.length; i++) {
    const argument = argv[i] ?? '';
    if (!argument.startsWith('--')) {
      words.push(argument);
      continue;
    }
    if (argument === '--') {
      words.push(...argv.slice(i + 1));
      break;
    }
    const equals = argument.indexOf('=');
    const spec = optionOf(argument.slice(2, equals === -1 ? undefined : equals));
    const { name } = spec;
    const inline = equals === -1 ? undefined : argument.slice(equals + 1);
    if (inline === '') {
      throw new UsageError(
        `the argument for option '--${name}' should follow immediately after the equal sign`,
        true,
      );
    }
    if (spec.kind === 'switch') {
      if (inline !== undefined) {
        throw new UsageError(`option '--${name}' does not take any arguments`, true);
      }
      setValue(values, spec, true);
      continue;
    }
    const value = inline ?? argv[++i];
    if (value === undefined) {
      throw new UsageError(`the required argument for option '--${name}' is missing`, true);
    }
    setValue(values, spec, readValue(spec, value));
  }
  return { values, words };
}
