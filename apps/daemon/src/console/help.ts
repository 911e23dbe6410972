import { closest, distance } from 'fastest-levenshtein';
import { command, CommandSyntaxError, UnknownCommandError, type Command } from './command.ts';
import { EXAMPLES } from './examples.ts';
import { COMMAND_TOPICS, type CommandTopic } from './topics.ts';

/** Width of the names in lists. */
const COLUMN = 26;
/** Letters of a name for each mistyped one. */
const LETTERS_PER_MISTAKE = 3;

const HELP_COMMANDS: readonly Command[] = [
  command('help [<topic>|<command>]', 'Show the commands, those of a topic, or one.', ([name]) =>
    Promise.resolve(name === undefined ? commandList() : helpFor(name)),
  ),
  command('apropos <keyword> [<keyword> ...]', 'Search the commands for keywords.', (keywords) =>
    Promise.resolve(apropos(keywords)),
  ),
];

const TOPICS: readonly CommandTopic[] = [
  ...COMMAND_TOPICS,
  { name: 'help', title: 'Help', commands: HELP_COMMANDS },
];

/** All commands, sorted by name. */
export const COMMANDS: readonly Command[] = TOPICS.flatMap(({ commands }) => commands).sort(
  (a, b) => (a.name < b.name ? -1 : 1),
);

/** The topics that `help` explains. */
export const TOPIC_NAMES: readonly string[] = COMMAND_TOPICS.map(({ name }) => name);

/** Returns the command with this name. Throws UnknownCommandError when there is none. */
export function commandNamed(name: string): Command {
  const found = COMMANDS.find((known) => known.name === name);
  if (found === undefined) throw unknown(name);
  return found;
}

function unknown(name: string): UnknownCommandError {
  const near = closest(
    name,
    COMMANDS.map((known) => known.name),
  );
  const isNear = distance(name, near) <= name.length / LETTERS_PER_MISTAKE;
  return new UnknownCommandError(name, isNear ? near : undefined);
}

/** Returns a command with its parameters. */
function usageOf({ name, parameters }: Command): string {
  return parameters === undefined ? name : `${name} ${parameters}`;
}

function commandList(): string {
  const lines = TOPICS.flatMap(({ title, commands }) => [
    '',
    `${title}:`,
    ...commands.map(({ name, help }) => `  ${name.padEnd(COLUMN)}${help}`),
  ]);
  const topics = `"help TOPIC" explains one of the topics ${TOPIC_NAMES.join(', ')}.`;
  return [`"help COMMAND" explains a command. ${topics}`, ...lines].join('\n');
}

function helpFor(name: string): string {
  const topic = COMMAND_TOPICS.find((each) => each.name === name);
  return topic === undefined ? helpForCommand(commandNamed(name)) : helpForTopic(topic);
}

function helpForTopic({ title, commands }: CommandTopic): string {
  const entries = commands.map((each) => `  ${usageOf(each)}\n      ${each.help}`);
  return [`${title}:`, ...entries].join('\n');
}

function helpForCommand(found: Command): string {
  return [
    'Command usage:',
    `  ${usageOf(found)}`,
    '',
    'Command description:',
    `  ${found.help}`,
    '',
    'Example:',
    `  ${EXAMPLES[found.name] ?? found.name}`,
  ].join('\n');
}

function apropos(keywords: readonly string[]): string {
  if (keywords.length === 0) throw new CommandSyntaxError('at least 1 parameter expected');
  const wanted = keywords.map((keyword) => keyword.toLowerCase());
  const found = COMMANDS.filter((known) => {
    const text = `${usageOf(known)} ${known.help}`.toLowerCase();
    return wanted.every((keyword) => text.includes(keyword));
  });
  return found.map((known) => `  ${usageOf(known)}`).join('\n');
}
