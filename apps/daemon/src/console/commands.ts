import { command, CommandSyntaxError, type Command, type CommandContext } from './command.ts';
import { CHAIN_COMMANDS } from './commands/chain.ts';
import { CONTROL_COMMANDS } from './commands/control.ts';
import { PEER_COMMANDS } from './commands/peers.ts';
import { POOL_COMMANDS } from './commands/pool.ts';
import { STATE_COMMANDS } from './commands/state.ts';

const HELP_COMMANDS: readonly Command[] = [
  command('help [<command>]', 'Show the commands, or one of them.', ([name]) =>
    Promise.resolve(name === undefined ? commandList() : helpFor(name)),
  ),
  command('apropos <keyword> [<keyword> ...]', 'Search the commands for keywords.', (keywords) =>
    Promise.resolve(apropos(keywords)),
  ),
];

/** All commands, sorted by name. */
export const COMMANDS: readonly Command[] = [
  ...HELP_COMMANDS,
  ...STATE_COMMANDS,
  ...PEER_COMMANDS,
  ...CHAIN_COMMANDS,
  ...POOL_COMMANDS,
  ...CONTROL_COMMANDS,
].sort((a, b) => (a.name < b.name ? -1 : 1));

/** Returns the command with this name; undefined when there is none. */
function commandNamed(name: string): Command | undefined {
  return COMMANDS.find((known) => known.name === name);
}

/** The text to print, and whether the command is known. */
export interface Outcome {
  readonly text: string;
  readonly known: boolean;
}

/**
 * Runs a command, given as the words of a line. For an unknown command the text is the list of commands.
 *
 * Throws RpcConnectionError or RpcLoginError when the daemon cannot be asked; another RpcError, CommandError or
 * CommandSyntaxError when the command fails.
 */
export async function runCommand(
  words: readonly string[],
  context: CommandContext,
): Promise<Outcome> {
  const [name = '', ...args] = words;
  const found = commandNamed(name);
  if (found === undefined)
    return { text: `${commandList()}\nUnknown command: ${name}`, known: false };
  return { text: await found.run(args, context), known: true };
}

function usageOf({ name, parameters }: Command): string {
  return parameters === undefined ? name : `${name} ${parameters}`;
}

function commandList(commands: readonly Command[] = COMMANDS): string {
  return ['Commands:', ...commands.map((known) => `  ${usageOf(known)}`)].join('\n');
}

function helpFor(name: string): string {
  const found = commandNamed(name);
  if (found === undefined) return `Unknown command: ${name}`;
  return `Command usage:\n  ${usageOf(found)}\n\nCommand description:\n  ${found.help}`;
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
