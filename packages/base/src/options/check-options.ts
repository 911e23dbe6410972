import { OptionError } from './option-error.ts';

/** How one option of a function is checked. */
export interface OptionRule<Value = unknown> {
  /** Whether it may be absent or undefined. */
  readonly optional?: true;
  /** The values that it takes; any others are refused. */
  readonly choices?: readonly Value[];
  /** The options inside it, where it is an object of options itself. */
  readonly table?: OptionTable<Value>;
}

/** Whether callers may leave an option out. */
type MayBeAbsent<Options, Name extends keyof Options> =
  object extends Pick<Options, Name> ? true : undefined extends Options[Name] ? true : false;

type Presence<Options, Name extends keyof Options> =
  MayBeAbsent<Options, Name> extends true
    ? { readonly optional: true }
    : { readonly optional?: never };

/** A rule for each option of a function. The compiler compares it with the type of the options, name by name. */
export type OptionTable<Options = unknown> = {
  readonly [Name in keyof Options]-?: OptionRule<NonNullable<Options[Name]>> &
    Presence<Options, Name>;
};

/** A rule of an option that must be given, with any value. */
export const NEEDED = {} as const;
/** A rule of an option that may be given, with any value. */
export const OPTIONAL = { optional: true } as const;

/** Returns a table in which every name of an object, such as one of defaults, may be given. */
export function optionalNames<Names extends object>(
  names: Names,
): { readonly [Name in keyof Names]: typeof OPTIONAL } {
  const rules = Object.keys(names).map((name) => [name, OPTIONAL]);
  return Object.fromEntries(rules) as { readonly [Name in keyof Names]: typeof OPTIONAL };
}

/**
 * Checks the options of a function where a program passes them in: JavaScript does not, and an option that is ignored does
 * something else than its caller asked for. Values that have no choices are left to the function.
 *
 * Throws OptionError for an unknown name, for one that is missing, and for a value that is not one of the choices.
 *
 * @param where the name of the function, for the message
 */
export function checkOptions<Options>(
  where: string,
  options: Options,
  table: OptionTable<Options>,
): void {
  checkObject(where, '', options, table as RuleTable);
}

/** Checks an argument that is not one of several options. Throws OptionError as {@link checkOptions} does. */
export function checkArgument(where: string, name: string, value: unknown, rule: OptionRule): void {
  const { choices, optional, table } = rule;
  if (value === undefined) {
    if (optional === true) return;
    const hint = choices === undefined ? '' : `; ${choicesText(choices)}`;
    const detail = { option: name, choices: choices ?? [] };
    throw new OptionError('missing-option', `${where}: ${name} is missing${hint}`, detail);
  }
  if (choices !== undefined && !choices.includes(value)) {
    const message = `${where}: ${name} is ${shown(value)}; ${choicesText(choices)}`;
    throw new OptionError('bad-option', message, { option: name, choices });
  }
  if (table !== undefined) checkObject(where, name, value, table as RuleTable);
}

type RuleTable = Readonly<Record<string, OptionRule>>;

/** @param path the option that the object is the value of; empty for all options */
function checkObject(where: string, path: string, value: unknown, table: RuleTable): void {
  if (typeof value !== 'object' || value === null) {
    const what = path === '' ? 'its options are' : `${path} is`;
    const message = `${where}: ${what} ${kindOf(value)}, not an object`;
    throw new OptionError('bad-option', message, { option: path });
  }
  for (const name of Object.keys(value)) {
    if (!Object.hasOwn(table, name)) throw unknownOption(where, path, name, table);
  }
  const given = value as Readonly<Record<string, unknown>>;
  for (const name of Object.keys(table)) {
    checkArgument(where, pathOf(path, name), given[name], table[name] as OptionRule);
  }
}

function unknownOption(where: string, path: string, name: string, table: RuleTable): OptionError {
  const choices = Object.keys(table);
  const inside = path === '' ? '' : ` in ${path}`;
  const message = `${where}: no option ${shown(name)}${inside}; there are ${choices.join(', ')}`;
  return new OptionError('unknown-option', message, { option: pathOf(path, name), choices });
}

function pathOf(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}

function choicesText(choices: readonly unknown[]): string {
  return `it can be ${choices.map(shown).join(', ')}`;
}

/** Returns what a value is, never the value: where an object belongs, a text may be a login or a key. */
function kindOf(value: unknown): string {
  return value === undefined || value === null ? String(value) : `a ${typeof value}`;
}

/** Longest text that a message repeats, characters. */
const MAX_SHOWN = 40;

/** Returns a value for a message: text in quotes, and of objects only what they are, because they may hold secrets. */
function shown(value: unknown): string {
  if (typeof value === 'string') {
    return JSON.stringify(value.length > MAX_SHOWN ? `${value.slice(0, MAX_SHOWN)}…` : value);
  }
  if (typeof value === 'function') return 'a function';
  if (typeof value === 'object' && value !== null) return 'an object';
  return String(value);
}
