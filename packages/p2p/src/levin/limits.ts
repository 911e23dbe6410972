import { COMMANDS } from '../messages/commands.ts';

const KIB = 1024;
const MIB = 1024 * KIB;

/**
 * Largest body of each command, in bytes.
 * Source: get_max_bytes in src/cryptonote_basic/connection_context.cpp
 */
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

/** Returns the most bytes that a body of `command` may have; Infinity if only the packet limit bounds it. */
export function bodyLimit(command: number): number {
  return BODY_LIMITS.get(command) ?? Infinity;
}
