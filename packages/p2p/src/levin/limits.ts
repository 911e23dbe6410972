import { COMMANDS } from '../messages/commands.ts';

const KIB = 1024;
const MIB = 1024 * KIB;

/** Largest body of each command (`src/cryptonote_basic/connection_context.cpp`), in bytes. */
const BODY_LIMITS: ReadonlyMap<number, number> = new Map([
  [COMMANDS.handshake, 64 * KIB],
  [COMMANDS.timedSync, 64 * KIB],
  [COMMANDS.ping, 4 * KIB],
  [COMMANDS.supportFlags, 4 * KIB],
  [COMMANDS.newBlock, 128 * MIB],
  [COMMANDS.newTransactions, 128 * MIB],
  [COMMANDS.requestObjects, 2 * MIB],
  [COMMANDS.responseObjects, 128 * MIB],
  [COMMANDS.requestChain, 512 * KIB],
  [COMMANDS.responseChain, 4 * MIB],
  [COMMANDS.newFluffyBlock, 4 * MIB],
  [COMMANDS.requestFluffyMissing, MIB],
  [COMMANDS.txpoolComplement, 4 * MIB],
]);

/** Bytes a body of `command` may have; other commands are bounded by the packet limit alone. */
export function bodyLimit(command: number): number {
  return BODY_LIMITS.get(command) ?? Infinity;
}
