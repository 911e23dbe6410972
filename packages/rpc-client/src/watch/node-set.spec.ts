import { jest } from '@jest/globals';
import { RpcConnectionError, RpcHttpError, RpcLoginError } from '../errors.ts';
import type { WatchedClient } from './chain-node.ts';
import { watchBlocks } from './watch-blocks.ts';
import type { WatchTrouble } from './watch-options.ts';

const ID = new Uint8Array(32).fill(1);
const INFO = { height: 1n, wide_cumulative_difficulty: '0x1', top_block_hash: ID };
const HEADER = { hash: ID, prev_hash: ID, wide_cumulative_difficulty: '0x1', orphan_status: false };
/** What a node with a chain of one block answers. */
const ANSWERS: Readonly<Record<string, unknown>> = {
  get_info: INFO,
  on_get_block_hash: ID,
  get_block_headers_range: { headers: [HEADER] },
  get_block_header_by_hash: { block_header: HEADER },
};

/** Returns a client of such a node. `fail` returns the error of a call, if it has one. */
function clientOf(fail: (name: string) => Error | undefined): WatchedClient {
  const call = (name: string) => {
    const error = fail(name);
    return error === undefined
      ? Promise.resolve(ANSWERS[name] as never)
      : Promise.reject<never>(error);
  };
  return { rpc: call, path: call, binary: call };
}

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

test('a node that answers only the first question of a look rests longer each time', async () => {
  const half = clientOf((name) =>
    name === 'get_info' ? undefined : new RpcConnectionError('away', { code: 'closed' }),
  );
  const troubles: WatchTrouble[] = [];
  const stop = new AbortController();
  // Its work is more, so that it is always looked at first.
  const more: WatchedClient = {
    ...half,
    rpc: (...args) =>
      args[0] === 'get_info'
        ? Promise.resolve({ ...INFO, height: 9n, wide_cumulative_difficulty: '0x9' } as never)
        : half.rpc(...args),
  };
  const next = watchBlocks({
    client: [more, clientOf(() => undefined)],
    interval: 1000,
    signal: stop.signal,
    onTrouble: (trouble) => troubles.push(trouble),
  }).next();
  await jest.advanceTimersByTimeAsync(60_500);
  // After 0, 1, 3, 7, 15 and 31 seconds, or a look later.
  expect(troubles.length).toBeGreaterThan(3);
  expect(troubles.length).toBeLessThan(8);
  stop.abort();
  await expect(next).rejects.toThrow('aborted');
});

test('following ends when all nodes refuse for good, at whatever question', async () => {
  let isUp = false;
  const closed = clientOf((name) =>
    name === 'get_info' ? undefined : new RpcHttpError('/json_rpc', 403),
  );
  const locked = clientOf(() =>
    isUp ? new RpcLoginError() : new RpcConnectionError('away', { code: 'refused' }),
  );
  const next = watchBlocks({ client: [closed, locked], interval: 1000 }).next();
  const outcome = expect(next).rejects.toThrow(/403|login/i);
  await jest.advanceTimersByTimeAsync(5000);
  isUp = true;
  await jest.advanceTimersByTimeAsync(300_000);
  await outcome;
});
