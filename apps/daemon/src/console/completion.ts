import { LOG_CATEGORIES } from '../log/log-categories.ts';
import { LEVELS } from '../log/log-levels.ts';
import { CONSOLE_COMMANDS, TOPIC_NAMES } from './help.ts';

type Completion = [candidates: string[], end: string];

/** Words that a usage text does not name: by command, for its parameters in order. */
const WORDS: Readonly<Record<string, readonly (readonly string[])[]>> = {
  start_mining: [[], ['auto'], ['true', 'false'], ['true', 'false']],
};

/** Returns what may follow in place of the last word of a line, and that word. */
export function completeLine(line: string): Completion {
  const words = line.trimStart().split(/\s+/);
  const end = words.pop() ?? '';
  const [name, ...args] = words;
  const candidates = name === undefined ? commandNames() : argumentsOf(name, args, end);
  return [candidates.filter((each) => each.startsWith(end)), end];
}

/** With a space after those that have parameters. */
function commandNames(): string[] {
  return CONSOLE_COMMANDS.map(({ name, parameters }) =>
    parameters === undefined ? name : `${name} `,
  );
}

function argumentsOf(name: string, args: readonly string[], end: string): readonly string[] {
  if (name === 'help') {
    return args.length > 0 ? [] : [...TOPIC_NAMES, ...CONSOLE_COMMANDS.map((known) => known.name)];
  }
  if (name === 'set_log') return args.length > 0 ? [] : logSettings(end);
  const listed = WORDS[name];
  if (listed !== undefined) return listed[args.length] ?? [];
  const parameters =
    CONSOLE_COMMANDS.find((known) => known.name === name)?.parameters?.split(' ') ?? [];
  const next = parameters[args.length];
  if (next !== undefined && !isOptional(next)) return literalsOf(next);
  // Options may come in any order, but not twice.
  const rest = parameters.filter(isOptional).flatMap(literalsOf);
  return args.length < parameters.length ? rest.filter((word) => !args.includes(word)) : [];
}

const isOptional = (parameter: string): boolean => parameter.startsWith('[');

/** Returns the words that a parameter of a usage text names: `auto` of `[<threads>|auto]`. */
function literalsOf(parameter: string): string[] {
  return parameter
    .replace(/^\[|\]$/g, '')
    .split('|')
    .filter((word) => /^[\w+-]+$/.test(word));
}

/** Completes the last pair of a list of categories: first the category, then its level. */
function logSettings(end: string): string[] {
  const [before = ''] = /^[+-]?(?:[^,]*,)*/.exec(end) ?? [];
  const pair = end.slice(before.length);
  const [category = ''] = pair.split(':');
  const pairs = pair.includes(':')
    ? LEVELS.map((level) => `${category}:${level}`)
    : ['*', ...LOG_CATEGORIES].map((each) => `${each}:`);
  const numbers = before === '' ? ['0', '1', '2', '3', '4'] : [];
  return [...numbers, ...pairs.map((each) => before + each)];
}
