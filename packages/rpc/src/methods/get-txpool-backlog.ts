import type { HandlerOf } from '../method.ts';
import { visiblePool } from '../transactions/visible-pool.ts';

/** Bytes of an entry: weight, fee and time, each as 64-bit little-endian. */
const ENTRY_SIZE = 24;
/** Transactions between two looks at the clock. */
const STEP = 256;

/**
 * Only what the public knows, restricted or not. The time is the age in seconds; 0 on a restricted listener. (0.18.0.0
 * sends the time of arrival minus now, a negative number.)
 */
export const getTxpoolBacklog: HandlerOf<'getTxpoolBacklog'> = async (
  _request,
  { pool, now: clock, restricted, yielder },
) => {
  const transactions = visiblePool({ pool, restricted: true });
  const now = clock();
  const backlog = new Uint8Array(transactions.length * ENTRY_SIZE);
  const view = new DataView(backlog.buffer);
  let at = 0;
  for (const { weight, fee, receiveTime } of transactions) {
    if (at % (STEP * ENTRY_SIZE) === 0) await yielder.yieldIfDue();
    view.setUint32(at, weight, true);
    view.setBigUint64(at + 8, fee, true);
    const age = restricted ? 0 : now - receiveTime;
    view.setInt32(at + 16, age, true);
    view.setInt32(at + 20, Math.floor(age / 2 ** 32), true);
    at += ENTRY_SIZE;
  }
  return { backlog: backlog.length > 0 ? backlog : undefined };
};
