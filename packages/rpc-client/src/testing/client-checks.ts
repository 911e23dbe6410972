import { RpcClient } from '../client.ts';
import { RpcCallError, RpcConnectionError, RpcLoginError, RpcStatusError } from '../errors.ts';
import { createFetchTransport } from '../fetch-transport.ts';

/** Servers that the checks talk to, all with the same chain of 89 blocks. */
export interface CheckedServers {
  readonly url: string;
  /** A server that needs {@link CHECK_LOGIN}. */
  readonly loginUrl: string;
  /** An address that nothing listens on. */
  readonly deadUrl: string;
}

export const CHECK_LOGIN = { username: 'somebody', password: 'ä:"b\\c' };

/** The result of one check. */
export interface CheckOutcome {
  readonly name: string;
  /** Undefined when it passed. */
  readonly failure: string | undefined;
}

/**
 * Runs calls of all kinds with the fetch transport and returns an outcome for each. Needs only what browsers have, so
 * that a page can run it as well as Node.
 */
export async function runClientChecks(servers: CheckedServers): Promise<CheckOutcome[]> {
  const outcomes: CheckOutcome[] = [];
  for (const [name, check] of Object.entries(CHECKS)) {
    const failure = await check(servers).then(
      () => undefined,
      (error: unknown) => (error instanceof Error ? (error.stack ?? error.message) : String(error)),
    );
    outcomes.push({ name, failure });
  }
  return outcomes;
}

const clientOf = (url: string, login?: typeof CHECK_LOGIN): RpcClient =>
  new RpcClient({ transport: createFetchTransport({ url, login }) });

const CHECKS: Readonly<Record<string, (servers: CheckedServers) => Promise<void>>> = {
  'JSON-RPC keeps all 64 bits of integers': async ({ url }) => {
    const fork = await clientOf(url).rpc('hard_fork_info', { version: 99 });
    expectEqual(fork.earliest_height, 2n ** 64n - 1n);
  },
  'JSON-RPC takes a list and returns a bare value': async ({ url }) => {
    const id = await clientOf(url).rpc('on_get_block_hash', [0n]);
    expectEqual([...id.subarray(0, 4)].join(), '65,128,21,187');
  },
  'a JSON path returns the height': async ({ url }) => {
    expectEqual((await clientOf(url).path('/get_height')).height, 89n);
  },
  'raw bytes survive in JSON': async ({ url }) => {
    const { backlog } = await clientOf(url).rpc('get_txpool_backlog');
    expectEqual(backlog.length, 24);
    const view = new DataView(backlog.buffer, backlog.byteOffset, backlog.length);
    expectEqual(view.getBigUint64(0, true) > 0n, true);
  },
  'a binary path returns blocks': async ({ url }) => {
    const heights = { heights: [1n, 83n] };
    const { blocks } = await clientOf(url).binary('/get_blocks_by_height.bin', heights);
    expectEqual(blocks.length, 2);
    expectEqual((blocks[0]?.block.length ?? 0) > 70, true);
  },
  'a JSON-RPC error keeps its code': async ({ url }) => {
    const error = await rejectionOf(
      clientOf(url).rpc('get_block_header_by_height', { height: 500 }),
    );
    expectEqual(error instanceof RpcCallError && error.code, -2);
  },
  'a status other than OK is an error': async ({ url }) => {
    const error = await rejectionOf(
      clientOf(url).path('/get_outs', { outputs: [{ amount: 0, index: 5000 }] }),
    );
    expectEqual(error instanceof RpcStatusError && error.status, 'Failed');
  },
  'a login lets in, call after call': async ({ loginUrl }) => {
    const client = clientOf(loginUrl, CHECK_LOGIN);
    for (let i = 0; i < 3; i++) expectEqual((await client.path('/get_height')).height, 89n);
    expectEqual((await client.rpc('get_block_count')).count, 89n);
  },
  'a wrong login and none are refused': async ({ loginUrl }) => {
    const wrong = clientOf(loginUrl, { ...CHECK_LOGIN, password: 'x' });
    expectEqual((await rejectionOf(wrong.path('/get_height'))) instanceof RpcLoginError, true);
    const none = clientOf(loginUrl);
    expectEqual((await rejectionOf(none.path('/get_height'))) instanceof RpcLoginError, true);
  },
  'no server is a connection error': async ({ deadUrl }) => {
    const error = await rejectionOf(clientOf(deadUrl).path('/get_height'));
    expectEqual(error instanceof RpcConnectionError, true);
  },
};

function expectEqual(found: unknown, expected: unknown): void {
  if (found !== expected) throw new Error(`found ${String(found)}, expected ${String(expected)}`);
}

async function rejectionOf(call: Promise<unknown>): Promise<unknown> {
  try {
    await call;
  } catch (error) {
    return error;
  }
  throw new Error('the call succeeded');
}
