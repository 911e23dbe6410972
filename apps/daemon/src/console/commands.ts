import type { CommandContext } from './command.ts';
import { commandNamed, CONSOLE_COMMANDS } from './help.ts';

/** Commands whose later parameters may hold a password. */
const PASSWORD_COMMAND = /^\s*set_bootstrap_daemon\s+(?:\S+\s+\S|\S*@)/;

/**
 * Runs a command, given as the words of a line; returns the text to print.
 *
 * Throws RpcConnectionError or RpcLoginError when the daemon cannot be asked; another RpcError, CommandError,
 * CommandSyntaxError or UnknownCommandError when the command fails.
 */
export async function runCommand(
  words: readonly string[],
  context: CommandContext,
): Promise<string> {
  const [name = '', ...args] = words;
  return commandNamed(name).run(args, context);
}

/** Returns whether a line begins with a command. */
export function isCommandLine(line: string): boolean {
  const [name] = line.trim().split(/\s+/, 1);
  return CONSOLE_COMMANDS.some((known) => known.name === name);
}

/** Returns whether a line may hold a password. */
export function holdsPassword(line: string): boolean {
  return PASSWORD_COMMAND.test(line);
}
