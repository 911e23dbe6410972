/** @jest-environment node */
import { jest } from '@jest/globals';
import { until } from '@monero-node/base/testing';
import { defaultNaming } from '../broker/names.ts';
import { describeWithNats, NatsServer } from '../testing/nats-server.ts';
import { Publishing } from '../testing/publishing.ts';
import { watchStream, type WatchStreamOptions } from './watch-stream.ts';
import type { StreamEvent, StreamPosition } from './watched-chain.ts';

jest.setTimeout(120_000);

let server: NatsServer;
let connection: Awaited<ReturnType<NatsServer['connect']>>;
let ends: (() => Promise<unknown>)[];
beforeEach(() => (ends = []));
afterEach(async () => {
  for (const end of ends.reverse()) await end();
});

async function publishing(blocks = 3, nonce = 0): Promise<Publishing> {
  server = await NatsServer.start();
  ends.push(() => server.remove());
  const node = await Publishing.start({ server: server.url }, blocks, nonce);
  ends.push(() => node.stop());
  await until(() => node.publisher.status.lag === 0, 30_000);
  connection = await server.connect();
  ends.push(() => connection.close());
  return node;
}

function watching(options: Partial<WatchStreamOptions> = {}) {
  const all = { ...defaultNaming('regtest'), connection, ...options };
  return watchStream(all);
}

/** Takes a number of events. */
async function take(events: AsyncGenerator<StreamEvent>, count: number): Promise<StreamEvent[]> {
  const taken: StreamEvent[] = [];
  while (taken.length < count) {
    const { value, done } = await events.next();
    if (done === true) break;
    taken.push(value);
  }
  return taken;
}

const lines = (events: readonly StreamEvent[]): string[] =>
  events.map(({ kind, height }) => `${kind} ${height}`);
const stored = (events: readonly StreamEvent[]): StreamPosition =>
  JSON.parse(JSON.stringify(events.at(-1)?.position)) as StreamPosition;

describeWithNats('watchStream', () => {
  test('tells blocks from a height on, goes on from a stored position, and takes blocks back', async () => {
    const node = await publishing();
    const events = watching({ from: 0 });
    const first = await take(events, 2);
    await events.return();
    expect(lines(first)).toEqual(['applied 0', 'applied 1']);
    const later = watching({ position: stored(first) });
    expect(lines(await take(later, 2))).toEqual(['applied 2', 'applied 3']);
    await node.reorganize(2, 7);
    const changed = await take(later, 5);
    expect(lines(changed)).toEqual([
      ...['reverted 3', 'reverted 2'],
      ...['applied 2', 'applied 3', 'applied 4'],
    ]);
    // In the middle of the reorganization.
    await later.return();
    const again = watching({ position: stored(changed.slice(0, 1)) });
    expect(lines(await take(again, 4))).toEqual(lines(changed.slice(1)));
    await again.return();
  });

  test('begins with the next block to come, and goes on where RPC was', async () => {
    const node = await publishing();
    const events = watching();
    const coming = take(events, 1);
    // It has found where it begins once the node was asked for the ids below.
    await until(() => node.publisher.status.backfill.answered >= 2, 30_000);
    await node.mine();
    const [next] = await coming;
    expect(next).toMatchObject({ kind: 'applied', height: 4, confirmations: 1 });
    await events.return();
    const { sequence: _, ...position } = stored([next as StreamEvent]);
    await node.mine(2);
    const later = watching({ position, confirmations: 2 });
    expect(await take(later, 1)).toMatchObject([{ height: 5, confirmations: 2 }]);
    await later.return();
  });

  test('goes on after the broker was away, and tells of it', async () => {
    const node = await publishing();
    const onTrouble = jest.fn();
    const events = watching({ from: 1, onTrouble });
    await take(events, 3);
    await server.stop();
    await until(() => onTrouble.mock.calls.length > 0, 30_000);
    await node.mine(2);
    await server.run(server.withJetStream());
    expect(lines(await take(events, 2))).toEqual(['applied 4', 'applied 5']);
    await events.return();
  });

  test('ends for another network, a signal, a closed connection and what onTrouble throws', async () => {
    await publishing();
    const events = watching({ from: 0 });
    const position = { ...stored(await take(events, 3)), sequence: undefined };
    await events.return();
    const other = { ...position, genesis: 'ab'.repeat(32), ids: ['cd'.repeat(32)], work: '1' };
    await expect(take(watching({ position: other }), 1)).rejects.toMatchObject({
      code: 'other-chain',
    });
    const ending = new AbortController();
    const waiting = take(watching({ signal: ending.signal }), 1);
    ending.abort(new Error('enough'));
    await expect(waiting).rejects.toThrow('enough');
    const fault = new Error('the program is broken');
    const onTrouble = (): void => {
      throw fault;
    };
    await expect(take(watching({ stream: 'NOTHING', onTrouble }), 1)).rejects.toBe(fault);
    const last = take(watching({ from: 9 }), 1);
    await connection.close();
    await expect(last).rejects.toThrow('the connection to the broker was closed');
  });

  test('refuses options that mean nothing', async () => {
    await publishing();
    expect(() => watching({ form: 1 } as object)).toThrow('form');
    expect(() => watching({ from: -1 })).toThrow(RangeError);
    expect(() => watching({ prefix: 'a b' })).toThrow('not a prefix of subjects');
    expect(() => watching({ position: { sequence: 0 } as StreamPosition })).toThrow('position');
  });
});
