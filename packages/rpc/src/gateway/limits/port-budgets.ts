import { plainHost } from '@monero-node/p2p/hosts';
import type { CallerGroup } from '../../scheduling/time-shares.ts';
import { HandshakeQueue } from '../../tls/handshake-queue.ts';
import { Admission } from './admission.ts';
import { Callers } from './callers.ts';
import { MemoryBudget } from './memory-budget.ts';

const MIB = 1024 * 1024;
/** Requests and answers of fewer bytes are not counted. */
const SMALL_BYTES = 16 * 1024;

/** The time and memory that the clients of one port share. Ports do not share budgets. */
export interface PortBudgets {
  /** The hosts among which time is shared. */
  readonly callers: Callers;
  /** Time of TLS handshakes. */
  readonly handshakes: HandshakeQueue;
  /** Places of long calls. */
  readonly admission: Admission;
  /** Bytes of request bodies that arrive or are being answered. */
  readonly received: MemoryBudget;
  /** Bytes behind the answers: what is kept to make them, and what waits for their readers. */
  readonly unsent: MemoryBudget;
}

/** Returns the largest share of a port's memory that is in use, 0 to 1 and above. */
export const memoryShare = ({ received, unsent }: PortBudgets): number =>
  Math.max(received.share, unsent.share);

/**
 * Returns the budgets of a port. The callers of a restricted port hold less, as anybody may be one of them. Of several `workers`,
 * each has its part of the memory.
 */
export function createPortBudgets(
  group: CallerGroup,
  restricted: boolean,
  workers = 1,
): PortBudgets {
  const callers = new Callers(group);
  return {
    callers,
    handshakes: new HandshakeQueue({ of: (address) => callers.of(plainHost(address)) }),
    admission: new Admission(),
    received: new MemoryBudget((32 * MIB) / workers, SMALL_BYTES),
    unsent: new MemoryBudget(((restricted ? 128 : 256) * MIB) / workers, SMALL_BYTES),
  };
}
