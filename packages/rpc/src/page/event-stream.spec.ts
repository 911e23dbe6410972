import { EventChannel } from './event-channel.ts';
import { eventStream } from './event-stream.ts';

const textOf = (parts: readonly Uint8Array[] | void): string =>
  Buffer.concat((parts ?? []) as Uint8Array[]).toString();
const channelOf = (): EventChannel => new EventChannel({ snapshot: () => '{"a":1}' });

test('a stream begins with the pause before a retry, and beats while nothing happens', async () => {
  const reader = channelOf().open(undefined);
  const stream = eventStream({ reader, cutOff: () => undefined, quietMs: 5 });
  expect(textOf((await stream.next()).value)).toMatch(/^retry: 2000\n\nid: .*\nevent: state\n/);
  expect(textOf((await stream.next()).value)).toBe('event: beat\ndata: {}\n\n');
});

test('a client that does not take what was sent is cut off', async () => {
  const reader = channelOf().open(undefined);
  const isCut = new Promise<void>((resolve) => {
    const stream = eventStream({ reader, cutOff: resolve, stuckMs: 5 });
    // Takes the first part and never comes back.
    void stream.next();
  });
  await isCut;
});

test('a client that keeps up is not cut off', async () => {
  const channel = channelOf();
  let cuts = 0;
  const stream = eventStream({
    reader: channel.open(undefined),
    cutOff: () => void cuts++,
    quietMs: 20,
    stuckMs: 200,
  });
  for (let i = 0; i < 15; i++) await stream.next();
  expect(cuts).toBe(0);
  await stream.return();
  expect(channel.isWatched).toBe(false);
});

test('a stream ends with its channel', async () => {
  const channel = channelOf();
  const stream = eventStream({ reader: channel.open(undefined), cutOff: () => undefined });
  await stream.next();
  const next = stream.next();
  channel.close();
  expect(await next).toEqual({ done: true, value: undefined });
});
