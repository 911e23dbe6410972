import { closest, distance } from 'fastest-levenshtein';
import { MONEROD_OPTIONS } from './monerod-options.ts';
import { OPTIONS, optionNamed } from './options.ts';
import { optionMeant } from './option-prefix.ts';
import { UsageError, type OptionSpec, type OptionValue } from './option-types.ts';

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
    throw new UsageError(`the argument ('${text}') for option '--${spec.name}' is invalid`, true);
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
  throw new UsageError(`unrecognised option '--${typed}'${near}`, true);
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
