import { monotonicMilliseconds, type Logger } from '@monero-node/base';
import { toHex } from '@monero-node/codec';
import type { PreparedBlock } from '../verify/prepare-block.ts';

/** How blocks came to be added. */
export interface Adding {
  /** When work on them began, in milliseconds of the monotonic clock. */
  readonly began: number;
  /** Where they came from; undefined when that is unknown. */
  readonly origin?: string | undefined;
}

/** Logs blocks that have become part of the main chain, one line for each. */
export function logAdded(
  logger: Logger,
  blocks: readonly PreparedBlock[],
  { began, origin }: Adding,
): void {
  // Thousands of blocks a second, whose lines nobody may read.
  if (logger.writes?.('info') === false) return;
  const time = `${(monotonicMilliseconds() - began).toFixed(1)} ms`;
  const shared = blocks.length > 1 ? ` for ${blocks.length} blocks` : '';
  const from = origin === undefined ? '' : ` from ${origin}`;
  for (const { height, bundle, meta } of blocks) {
    const count = bundle.txs.length;
    logger.info(
      `block ${height} added: ${toHex(meta.id)}, ${count} transactions, weight ${meta.weight}, ${time}${shared}${from}`,
    );
  }
}
