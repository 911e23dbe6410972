import { EventChannel } from './event-channel.ts';

/** Milliseconds for which a reader waits when there is nothing to read. */
const QUIET = 5;

interface Message {
  readonly id: string;
  readonly event: string;
  readonly data: unknown;
}

function parse(parts: readonly Uint8Array[] | undefined): Message[] {
  return (parts ?? []).map((bytes) => {
    const text = Buffer.from(bytes).toString();
    expect(text).toMatch(/^id: [0-9a-f]{12}-\d+\nevent: \w+\ndata: .*\n\n$/);
    const [id = '', event = '', data = ''] = text
      .split('\n')
      .map((line) => line.replace(/^\w+: /, ''));
    return { id, event, data: JSON.parse(data) as unknown };
  });
}

function setup() {
  const state = { rendered: 0, watched: 0, value: 0 };
  const channel = new EventChannel({
    snapshot: () => JSON.stringify({ value: state.value, rendered: ++state.rendered }),
    onWatched: () => void state.watched++,
  });
  const publish = (value: number): void => {
    state.value = value;
    channel.publish(JSON.stringify({ value }));
  };
  return { channel, publish, state };
}

test('a reader begins with the state and goes on with the changes', async () => {
  const { channel, publish } = setup();
  publish(1);
  const reader = channel.open(undefined);
  const [first] = parse(await reader.next(QUIET));
  expect(first).toMatchObject({ event: 'state', data: { value: 1 } });
  publish(2);
  publish(3);
  expect(parse(await reader.next(QUIET)).map(({ data }) => data)).toEqual([
    { value: 2 },
    { value: 3 },
  ]);
});

test('the state and each change are made once for all readers', async () => {
  const { channel, publish, state } = setup();
  const readers = Array.from({ length: 20 }, () => channel.open(undefined));
  for (const reader of readers) await reader.next(QUIET);
  expect(state).toMatchObject({ rendered: 1, watched: 1 });
  publish(7);
  const parts = await Promise.all(readers.map(async (reader) => (await reader.next(QUIET))?.[0]));
  expect(new Set(parts).size).toBe(1);
});

test('a change between the state and the first reading is not lost', async () => {
  const { channel, publish } = setup();
  const reader = channel.open(undefined);
  publish(5);
  expect(parse(await reader.next(QUIET)).map(({ event }) => event)).toEqual(['state', 'change']);
});

test('a waiting reader is woken by a change', async () => {
  const { channel, publish } = setup();
  const reader = channel.open(undefined);
  await reader.next(QUIET);
  const next = reader.next(60_000);
  publish(1);
  expect(parse(await next)).toHaveLength(1);
});

test('a quiet channel returns an empty list', async () => {
  const { channel } = setup();
  const reader = channel.open(undefined);
  await reader.next(QUIET);
  expect(await reader.next(QUIET)).toEqual([]);
});

test('a client that comes back gets only what it has missed', async () => {
  const { channel, publish } = setup();
  const reader = channel.open(undefined);
  const [state] = parse(await reader.next(QUIET));
  publish(1);
  publish(2);
  reader.close();
  const again = channel.open(state?.id);
  expect(parse(await again.next(QUIET)).map(({ data }) => data)).toEqual([
    { value: 1 },
    { value: 2 },
  ]);
});

test('a client that comes back after a change that was not published begins with the state', async () => {
  const { channel, publish, state } = setup();
  const reader = channel.open(undefined);
  await reader.next(QUIET);
  publish(1);
  const [last] = parse(await reader.next(QUIET));
  reader.close();
  state.value = 2;
  channel.skip();
  const again = channel.open(last?.id);
  publish(3);
  expect(parse(await again.next(QUIET))).toMatchObject([
    { event: 'state', data: { value: 2 } },
    { event: 'change', data: { value: 3 } },
  ]);
});

test.each(['', '-', 'x-1', '000000000000-0', '-1', `${'9'.repeat(400)}-1`])(
  'an id that means nothing here begins with the state: %s',
  async (id) => {
    const { channel } = setup();
    expect(parse(await channel.open(id).next(QUIET))[0]?.event).toBe('state');
  },
);

test('an id of the future or of the far past begins with the state', async () => {
  const { channel, publish } = setup();
  const [state] = parse(await channel.open(undefined).next(QUIET));
  const [run] = state?.id.split('-') ?? [];
  for (let i = 0; i < 200; i++) publish(i);
  for (const id of [`${run}-1e3`, `${run}-900`, `${run}-0`, `${run}-5`]) {
    expect(parse(await channel.open(id).next(QUIET))[0]?.event).toBe('state');
  }
  expect(parse(await channel.open(`${run}-199`).next(QUIET))[0]?.data).toEqual({ value: 199 });
});

test('a reader that is too far behind is ended', async () => {
  const { channel, publish } = setup();
  const reader = channel.open(undefined);
  await reader.next(QUIET);
  for (let i = 0; i < 200; i++) publish(i);
  expect(await reader.next(QUIET)).toBeUndefined();
});

test('what is kept is bounded in bytes', async () => {
  const { channel } = setup();
  const reader = channel.open(undefined);
  await reader.next(QUIET);
  for (let i = 0; i < 5; i++) channel.publish(JSON.stringify('x'.repeat(300_000)));
  expect(await reader.next(QUIET)).toBeUndefined();
  const [run] = parse(await channel.open(undefined).next(QUIET))[0]?.id.split('-') ?? [];
  expect(parse(await channel.open(`${run}-2`).next(QUIET))).toHaveLength(3);
});

test('a closed channel ends its readers, and can be read again', async () => {
  const { channel, state } = setup();
  const reader = channel.open(undefined);
  await reader.next(QUIET);
  const next = reader.next(60_000);
  channel.close();
  expect(await next).toBeUndefined();
  expect(channel.isWatched).toBe(false);
  expect(parse(await channel.open(undefined).next(QUIET))[0]?.event).toBe('state');
  expect(state.watched).toBe(2);
});
