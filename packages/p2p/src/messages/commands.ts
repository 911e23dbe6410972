import { ADMIN_COMMANDS } from './admin.ts';
import { BLOCK_COMMANDS } from './blocks.ts';
import { CHAIN_COMMANDS } from './chain.ts';
import { rare } from './command-row.ts';
import type { CommandRow, MessageCost } from './command-row.ts';
import { TRANSACTION_COMMANDS } from './transactions.ts';

const ROWS = { ...ADMIN_COMMANDS, ...BLOCK_COMMANDS, ...CHAIN_COMMANDS, ...TRANSACTION_COMMANDS };

type CommandName = keyof typeof ROWS;
type NameOf<Kind> = {
  [Name in CommandName]: (typeof ROWS)[Name]['kind'] extends Kind ? Name : never;
}[CommandName];

/** Handlers of all commands of a kind, so that the compiler asks for one that is missing. */
export type HandlersOf<Kind extends CommandRow['kind'], Handler> = Readonly<
  Record<NameOf<Kind>, Handler>
>;

const names = Object.keys(ROWS) as CommandName[];
const byNumber = new Map<number, CommandRow>(names.map((name) => [ROWS[name].number, ROWS[name]]));

/** Command numbers. */
export const COMMANDS = Object.fromEntries(names.map((name) => [name, ROWS[name].number])) as {
  readonly [Name in CommandName]: (typeof ROWS)[Name]['number'];
};

/** Returns handlers by the numbers of their commands. */
export function handlersByNumber<Handler>(
  handlers: Partial<Record<CommandName, Handler>>,
): ReadonlyMap<number, Handler> {
  return new Map(
    (Object.entries(handlers) as [CommandName, Handler][]).map(([name, handler]) => [
      COMMANDS[name],
      handler,
    ]),
  );
}

/** Returns the most bytes that a body of `command` may have; Infinity for a command we do not know, which only the packet limit bounds. */
export function bodyLimit(command: number): number {
  return byNumber.get(command)?.bodyLimit ?? Infinity;
}

const UNKNOWN = rare(1);

/** Returns the cost of a message that a peer sends of its own accord. */
export function costOf(command: number): MessageCost {
  return byNumber.get(command)?.cost ?? UNKNOWN;
}

/** Returns whether the answer to a message of that command can be long. */
export function hasLongAnswer(command: number): boolean {
  return byNumber.get(command)?.hasLongAnswer ?? false;
}

/** Returns whether peers over Tor and I2P may send that command. */
export function isForHidden(command: number): boolean {
  return byNumber.get(command)?.isForHidden ?? false;
}
