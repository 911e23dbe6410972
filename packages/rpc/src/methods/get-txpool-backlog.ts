import type { HandlerOf } from '../method.ts';
import { visiblePool } from '../transactions/visible-pool.ts';

/** Bytes of an entry: weight, fee and time, each as 64-bit little-endian. */
const ENTRY_SIZE = 24;
/** Transactions between two looks at the clock. */
const STEP = 256;

/**
 * Only what the public knows, restricted or not. The time is that of arrival minus now, that is a negative number in two's complement, as monerod sends it.
 */
export const getTxpoolBacklog: HandlerOf<'getTxpoolBacklog'> = async (
  _request,
  { pool, now: clock, yielder },
) => {
  const transactions = visiblePool({ pool, restricted: true });
  const now = clock();
  const backlog = Buffer.alloc(transactions.length * ENTRY_SIZE);
  for (const [i, tx] of transactions.entries()) {
    if (i % STEP === 0) await yielder.yieldIfDue();
    backlog.writeBigUInt64LE(BigInt(tx.weight), i * ENTRY_SIZE);
    backlog.writeBigUInt64LE(tx.fee, i * ENTRY_SIZE + 8);
    backlog.writeBigInt64LE(BigInt(tx.receiveTime - now), i * ENTRY_SIZE + 16);
  }
  return { backlog: backlog.length > 0 ? backlog : undefined };
};
