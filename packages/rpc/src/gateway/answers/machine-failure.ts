import { MachineError } from '@monero-node/base';

/** Reasons of the system that mean that a disk has no more room. */
const FULL = new Set(['ENOSPC', 'EDQUOT', 'EFBIG']);

/**
 * Returns what a caller hears when a call fails because of the node's machine, for example of its disk; undefined for any other
 * error. Unlike the error's own message, it names no path: a stranger may have called.
 */
export function machineFailure(error: unknown): string | undefined {
  if (!(error instanceof MachineError)) return undefined;
  const { code, systemCode } = error as { code?: unknown; systemCode?: unknown };
  if (typeof systemCode === 'string' && FULL.has(systemCode)) return "The node's disk is full";
  if (code === 'io' || code === 'damaged') return "The node's database failed";
  if (code === 'closed') return 'The node is stopping';
  return 'The node failed: its log names the reason';
}
