import { COMMANDS } from '../messages/commands.ts';

/** The minimum cost of a message to its sender. */
export interface MessageCost {
  /** Milliseconds of CPU time: handling it may also take time elsewhere, such as in threads. */
  readonly milliseconds: number;
  /** Honest peers send only a few of these a minute. */
  readonly isRare: boolean;
}

const rare = (milliseconds: number): MessageCost => ({ milliseconds, isRare: true });
const common = (milliseconds: number): MessageCost => ({ milliseconds, isRare: false });
const FREE: MessageCost = common(0);

const COSTS: ReadonlyMap<number, MessageCost> = new Map([
  [COMMANDS.handshake, rare(5)],
  [COMMANDS.timedSync, rare(5)],
  [COMMANDS.ping, rare(1)],
  [COMMANDS.supportFlags, rare(1)],
  [COMMANDS.requestChain, rare(10)],
  [COMMANDS.requestFluffyMissing, rare(10)],
  [COMMANDS.txpoolComplement, rare(50)],
  [COMMANDS.requestObjects, common(1)],
  [COMMANDS.newBlock, common(2)],
  [COMMANDS.newFluffyBlock, common(2)],
  [COMMANDS.newTransactions, common(0.5)],
  // Received only when asked for.
  [COMMANDS.responseChain, FREE],
  [COMMANDS.responseObjects, FREE],
]);
const UNKNOWN = rare(1);

/** Returns the cost of a message that a peer sends of its own accord. */
export function costOf(command: number): MessageCost {
  return COSTS.get(command) ?? UNKNOWN;
}

/** Requests whose answers can be long. */
const LONG_ANSWERS: ReadonlySet<number> = new Set([
  COMMANDS.requestChain,
  COMMANDS.requestObjects,
  COMMANDS.requestFluffyMissing,
  COMMANDS.txpoolComplement,
]);

/** Returns whether the answer to a message of that command can be long. */
export function hasLongAnswer(command: number): boolean {
  return LONG_ANSWERS.has(command);
}
