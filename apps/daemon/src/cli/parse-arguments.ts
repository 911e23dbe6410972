import { closest, distance } from 'fastest-levenshtein';
import { OPTIONS, optionNamed } from './options.ts';
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

/**
 * Reads `--name value`, `--name=value` and switches.
 *
 * Throws UsageError with monerod's messages for unknown options and for missing, extra or invalid values.
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
    const equals = argument.indexOf('=');
    const name = argument.slice(2, equals === -1 ? undefined : equals);
    const spec = optionNamed(name);
    if (spec === undefined)
      throw new UsageError(
        `unrecognised option '--${name}'${suggestion(name, { prefix: '--', options: OPTIONS })}`,
        true,
      );
    const inline = equals === -1 ? undefined : argument.slice(equals + 1);
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
