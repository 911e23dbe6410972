import { UsageError } from './option-types.ts';

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
