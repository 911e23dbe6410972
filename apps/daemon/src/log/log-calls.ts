import type { Logger } from '@monero-node/base';
import type { FinishedCall } from '@monero-node/rpc';

/** Returns a function that logs a call of an RPC client, so that abuse of a public node can be traced. */
export function callLogger(logger: Logger): (call: FinishedCall) => void {
  return ({ address, method, status, milliseconds, bytes }) =>
    logger.info(
      `${address} ${method}: ${status ?? 'cut off'}, ${milliseconds.toFixed(1)} ms, ${bytes} bytes`,
    );
}
