import { bytesEqual, toHex } from '@monero-node/codec';
import type { NatsConnection } from '@nats-io/transport-node';
import { requestBlocks } from '../backfill/backfill-client.ts';
import type { StreamTip } from '../broker/entry-facts.ts';
import type { EventBlock } from '../messages/block-table.ts';
import type { ChainState } from './chain-state.ts';

export interface FillInOptions {
  readonly subject: string;
  /** The newest block of the stream, and the sequence of its last message. */
  readonly target: StreamTip;
  readonly sequence: number;
  /** Height of the first block when the consumer has none. */
  readonly from: number;
  readonly signal: AbortSignal;
}

/**
 * Brings a consumer's chain to a block of the stream with blocks that a node sends, after removing those that the node's
 * chain does not have. Rejects with BackfillError while no node has the target in its chain. Ends early when the signal is
 * aborted, and then may reject.
 */
export async function fillIn(
  state: ChainState,
  connection: NatsConnection,
  options: FillInOptions,
): Promise<void> {
  const { target, signal } = options;
  while ((state.tip?.height ?? -1) > target.height) await state.dropTip();
  let ahead: Promise<EventBlock[]> | undefined;
  while (!signal.aborted && !isAt(state, target)) {
    const { tip } = state;
    if (tip?.height === target.height) {
      await state.dropTip();
      continue;
    }
    const next = tip ? tip.height + 1 : Math.min(options.from, target.height);
    const blocks = await unlessAborted(ahead ?? request(connection, options, next), signal);
    ahead = undefined;
    const [first] = blocks;
    if (first !== undefined && tip !== undefined && !bytesEqual(first.prev_id, tip.id)) {
      await state.dropTip();
      continue;
    }
    const last = blocks.at(-1);
    if (last !== undefined && last.height < target.height) {
      ahead = request(connection, options, last.height + 1);
      // Its failure is met when it is awaited.
      ahead.catch(() => undefined);
    }
    for (const block of blocks) await state.add(block, sequenceOf(block, options));
    await state.flush();
  }
}

function request(
  connection: NatsConnection,
  { subject, target }: FillInOptions,
  from: number,
): Promise<EventBlock[]> {
  const to = { height: target.height, id: target.id };
  return requestBlocks(connection, subject, { from, to });
}

/** Settles as a promise does, but rejects as soon as the signal is aborted: an answer may never come from a node that is gone. */
async function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  let abort = (): void => undefined;
  const aborted = new Promise<never>((_, reject) => {
    abort = () => reject(new Error('stopped'));
  });
  signal.addEventListener('abort', abort);
  try {
    return await Promise.race([promise, aborted]);
  } finally {
    signal.removeEventListener('abort', abort);
  }
}

function isAt({ tip }: ChainState, target: StreamTip): boolean {
  return tip !== undefined && tip.height === target.height && toHex(tip.id) === target.id;
}

/** The block that the stream ends with has the stream's position; those below have none. */
function sequenceOf(block: EventBlock, { target, sequence }: FillInOptions): number | undefined {
  return block.height === target.height ? sequence : undefined;
}
