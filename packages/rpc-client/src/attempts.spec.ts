import { jest } from '@jest/globals';
import { settle } from '@monero-node/base/testing';
import { METHOD_SCHEMAS, type MethodSchema } from '@monero-node/rpc-schema';
import { RpcClient, type RpcClientOptions } from './client.ts';
import { RpcConnectionError, type RpcConnectionErrorCode, RpcHttpError } from './errors.ts';
import type { CallFailure, CallHooks } from './hooks.ts';
import { isRepeatable } from './repeatable.ts';
import { mayAnswerElsewhere, mayPass, retryDelay, retryRule } from './retry.ts';
import type { RpcTransport } from './transport.ts';

type Outcome = string | Error | 'silent';

/** A node that answers with each outcome in turn, and with the last one from then on. */
function nodeOf(name: string, ...outcomes: Outcome[]) {
  const asked: string[] = [];
  const transport: RpcTransport = {
    name,
    post(path, _type, body) {
      const outcome = outcomes[Math.min(asked.length, outcomes.length - 1)] ?? 'silent';
      asked.push(path === '/json_rpc' ? new TextDecoder().decode(body) : path);
      if (outcome === 'silent') return new Promise(() => undefined);
      return outcome instanceof Error
        ? Promise.reject(outcome)
        : Promise.resolve(new TextEncoder().encode(outcome));
    },
    close: () => undefined,
  };
  return { asked, transport };
}

const HEIGHT = '{"height":7,"status":"OK"}';
const failed = (code: RpcConnectionErrorCode): Error => new RpcConnectionError(code, { code });
const clientOf = (
  nodes: readonly { readonly transport: RpcTransport }[],
  options: Pick<RpcClientOptions, 'retry' | 'hooks'> = {},
): RpcClient => new RpcClient({ transport: nodes.map(({ transport }) => transport), ...options });

describe('several nodes', () => {
  test.each([
    failed('refused'),
    failed('timeout'),
    failed('closed'),
    failed('certificate'),
    new RpcHttpError('/get_height', 503),
    '<html>',
    '{"status":"BUSY"}',
  ])('the next is asked after %p, and first from then on', async (outcome) => {
    const [a, b, c] = [nodeOf('a', outcome), nodeOf('b', HEIGHT), nodeOf('c', HEIGHT)];
    const client = clientOf([a, b, c]);
    expect((await client.path('/get_height')).height).toBe(7n);
    expect((await client.path('/get_height')).height).toBe(7n);
    expect([a, b, c].map(({ asked }) => asked.length)).toEqual([1, 2, 0]);
  });

  test.each([
    ['{"status":"Failed"}', 'status'],
    [new RpcHttpError('/get_height', 404), 'http-status'],
    [failed('too-large'), 'too-large'],
  ] as const)(
    'an answer that another one would give too is the answer: %p',
    async (outcome, code) => {
      const [a, b] = [nodeOf('a', outcome), nodeOf('b', HEIGHT)];
      await expect(clientOf([a, b]).path('/get_height')).rejects.toMatchObject({ code });
      expect(b.asked).toEqual([]);
    },
  );

  test('a silent node does not use up the time-out of a call', async () => {
    const [a, b] = [nodeOf('a', 'silent'), nodeOf('b', HEIGHT)];
    const call = clientOf([a, b]).path('/get_height', {}, { timeout: 100 });
    expect((await call).height).toBe(7n);
  });

  test('each call asks each node, also when calls fail one after the other', async () => {
    const failures: ((error: Error) => void)[] = [];
    const dying: RpcTransport = {
      post: () => new Promise((_, reject) => failures.push(reject)),
      close: () => undefined,
    };
    const b = nodeOf('b', HEIGHT);
    const client = clientOf([{ transport: dying }, b]);
    const calls = [client.path('/get_height'), client.path('/get_height')];
    await settle();
    expect(failures).toHaveLength(2);
    failures[1]?.(failed('timeout'));
    expect((await calls[1])?.height).toBe(7n);
    failures[0]?.(failed('timeout'));
    expect((await calls[0])?.height).toBe(7n);
    expect(b.asked).toHaveLength(2);
  });

  test('a call that changes something goes to another node only if nothing was sent', async () => {
    const body = { tx_as_hex: 'ab' };
    const accepted = '{"status":"OK"}';
    for (const code of ['timeout', 'closed', 'failed'] as const) {
      const [a, b] = [nodeOf('a', failed(code)), nodeOf('b', accepted)];
      const sent = clientOf([a, b], { retry: {} }).path('/send_raw_transaction', body);
      await expect(sent).rejects.toMatchObject({ code });
      expect([a.asked.length, b.asked.length]).toEqual([1, 0]);
    }
    const [a, b] = [nodeOf('a', failed('refused')), nodeOf('b', accepted)];
    await clientOf([a, b]).path('/send_raw_transaction', body);
    expect([a.asked.length, b.asked.length]).toEqual([1, 1]);
  });

  test('the last error is that of the call, and there is at least one node', async () => {
    const [a, b] = [nodeOf('a', failed('timeout')), nodeOf('b', failed('refused'))];
    await expect(clientOf([a, b]).path('/get_height')).rejects.toMatchObject({ code: 'refused' });
    expect(() => clientOf([])).toThrow(RangeError);
    expect(() => new RpcClient({ url: [] })).toThrow('there is no node');
    expect(() => new RpcClient({ url: ['http://127.0.0.1', 'nonsense'] })).toThrow('Invalid URL');
  });
});

describe('tries again', () => {
  beforeEach(() => {
    jest.useFakeTimers();
    jest.spyOn(Math, 'random').mockReturnValue(0.5);
  });
  afterEach(() => {
    jest.useRealTimers();
    jest.restoreAllMocks();
  });

  test('after pauses that grow, at every node', async () => {
    const a = nodeOf('a', failed('refused'), failed('timeout'), HEIGHT);
    const b = nodeOf('b', failed('refused'));
    const client = clientOf([a, b], { retry: { attempts: 3, minDelay: 100, maxDelay: 150 } });
    const call = client.path('/get_height');
    await jest.advanceTimersByTimeAsync(49);
    expect([a.asked.length, b.asked.length]).toEqual([1, 1]);
    await jest.advanceTimersByTimeAsync(1);
    expect([a.asked.length, b.asked.length]).toEqual([2, 2]);
    await jest.advanceTimersByTimeAsync(75);
    expect((await call).height).toBe(7n);
    expect([a.asked.length, b.asked.length]).toEqual([3, 2]);
  });

  test('only as often as was asked for, and never without being asked for', async () => {
    const a = nodeOf('a', failed('timeout'));
    const call = clientOf([a], { retry: { attempts: 2 } }).path('/get_height');
    const outcome = expect(call).rejects.toMatchObject({ code: 'timeout' });
    await jest.runAllTimersAsync();
    await outcome;
    expect(a.asked).toHaveLength(2);
    await expect(clientOf([a]).path('/get_height')).rejects.toMatchObject({ code: 'timeout' });
    expect(a.asked).toHaveLength(3);
  });

  test('a pause ends with its signal, its time-out and its client', async () => {
    const a = nodeOf('a', failed('refused'));
    const client = clientOf([a], { retry: { attempts: 2, minDelay: 60_000, maxDelay: 60_000 } });
    const stop = new AbortController();
    const stopped = client.path('/get_height', {}, { signal: stop.signal });
    const late = client.path('/get_height', {}, { timeout: 1000 });
    const closed = client.path('/get_height');
    const outcomes = Promise.allSettled([stopped, late, closed]);
    await jest.advanceTimersByTimeAsync(0);
    const reason = new Error('enough');
    stop.abort(reason);
    await jest.advanceTimersByTimeAsync(1000);
    client.close();
    expect(await outcomes).toEqual([
      { status: 'rejected', reason },
      { status: 'rejected', reason: expect.objectContaining({ code: 'timeout' }) },
      { status: 'rejected', reason: expect.objectContaining({ code: 'closed' }) },
    ]);
    expect(a.asked).toHaveLength(3);
    expect(jest.getTimerCount()).toBe(0);
  });

  test('hooks are told of every try', async () => {
    const told: unknown[] = [];
    const hooks: CallHooks = {
      onRequest: (event) => told.push(['request', event]),
      onResponse: (event) => told.push(['response', event]),
      onError: (event) => told.push(['error', event]),
    };
    const [a, b] = [nodeOf('a', failed('refused')), nodeOf('b', failed('closed'), HEIGHT)];
    const call = clientOf([a, b], { retry: {}, hooks }).path('/get_height');
    await jest.runAllTimersAsync();
    await call;
    const at = (node: string, attempt: number) => ({
      call: 1,
      name: '/get_height',
      node,
      attempt,
    });
    const error = (code: string) => expect.objectContaining({ code });
    const milliseconds = expect.any(Number);
    expect(told).toEqual([
      ['request', { ...at('a', 1), bytes: 4 }],
      ['error', { ...at('a', 1), milliseconds, error: error('refused'), next: 'other-node' }],
      ['request', { ...at('b', 2), bytes: 4 }],
      ['error', { ...at('b', 2), milliseconds, error: error('closed'), next: 'retry' }],
      ['request', { ...at('a', 3), bytes: 4 }],
      ['error', { ...at('a', 3), milliseconds, error: error('refused'), next: 'other-node' }],
      ['request', { ...at('b', 4), bytes: 4 }],
      ['response', { ...at('b', 4), milliseconds, bytes: HEIGHT.length }],
    ]);
  });
});

test('the last error of a call rejects, and JSON-RPC is named by its method', async () => {
  const failures: CallFailure[] = [];
  const busy = '{"jsonrpc":"2.0","id":0,"error":{"code":-9,"message":"busy"}}';
  const client = clientOf([nodeOf('a', busy)], { hooks: { onError: (f) => failures.push(f) } });
  await expect(client.rpc('get_info')).rejects.toMatchObject({ code: -9 });
  expect(failures).toMatchObject([{ name: 'get_info', next: 'rejects', error: { code: -9 } }]);
});

test('what a hook throws ends its call', async () => {
  const hooks: CallHooks = {
    onResponse: () => {
      throw new Error('no room for the log');
    },
  };
  const call = clientOf([nodeOf('a', HEIGHT)], { hooks }).path('/get_height');
  await expect(call).rejects.toThrow('no room for the log');
});

test('options are checked', () => {
  const make = (options: object) => () => new RpcClient({ url: 'http://127.0.0.1', ...options });
  expect(make({ retry: { tries: 3 } })).toThrow(
    'no option "tries" in retry; there are attempts, minDelay, maxDelay',
  );
  expect(make({ hooks: { onAnswer: () => undefined } })).toThrow('no option "onAnswer" in hooks');
  for (const retry of [{ attempts: 0 }, { attempts: 1.5 }, { minDelay: -1 }, { maxDelay: NaN }]) {
    expect(make({ retry })).toThrow(RangeError);
  }
});

test('pauses are random below a limit that doubles', () => {
  const rule = retryRule({ minDelay: 100, maxDelay: 1000 });
  for (const [tries, limit] of [
    [1, 100],
    [2, 200],
    [4, 800],
    [5, 1000],
    [99, 1000],
  ] as const) {
    const delays = Array.from({ length: 200 }, () => retryDelay(rule, tries));
    expect(Math.max(...delays)).toBeLessThan(limit);
    expect(Math.max(...delays)).toBeGreaterThan(limit * 0.8);
    expect(Math.min(...delays)).toBeLessThan(limit * 0.2);
  }
});

test('what is not known to pass is not tried again', () => {
  for (const error of [new TypeError('x'), new RpcHttpError('/', 500), undefined, 'text']) {
    expect([mayPass(error, true), mayAnswerElsewhere(error, true)]).toEqual([false, false]);
  }
});

test('methods that change something are not sent twice', () => {
  const CHANGE =
    /^(pop|prune|flush|save|set|start|stop|update|generate|submit|send|relay|in_peers|out_peers|rpc_access_(submit|pay|tracking|account))/;
  for (const [key, { names, paths, binaryPaths }] of Object.entries<MethodSchema>(METHOD_SCHEMAS)) {
    const name = (names ?? paths ?? binaryPaths)?.[0]?.replace('/', '') ?? '';
    expect([name, isRepeatable(key as keyof typeof METHOD_SCHEMAS)]).toEqual([
      name,
      !CHANGE.test(name),
    ]);
  }
});
