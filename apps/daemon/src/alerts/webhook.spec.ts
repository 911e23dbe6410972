import { jest } from '@jest/globals';
import { silentLogger } from '@monero-node/base';
import { untilAborted } from '@monero-node/base/signals';
import { settle, until } from '@monero-node/base/testing';
import type { AlertSeverity } from './alert.ts';
import { WebhookError } from './post-alert.ts';
import { MAX_ATTEMPTS, MAX_WAITING, Webhook, type WebhookDependencies } from './webhook.ts';

const SETTINGS = {
  url: new URL('https://user:secret@hooks.example/token?key=1'),
  secret: undefined,
  isLocal: false,
};
const message = (id: number, severity: AlertSeverity = 'warning') => ({
  id: String(id),
  messageId: `${id}-once`,
  severity,
  body: '{}',
});

let said: string[];
let posted: string[];
let pauses: number[];
/** Decides about each attempt; one that never settles hangs until its signal aborts. */
let answer: (id: string) => Promise<void>;
beforeEach(() => {
  [said, posted, pauses] = [[], [], []];
  answer = () => Promise.resolve();
});

function webhookOf(changes: Partial<WebhookDependencies> = {}): Webhook {
  const say = (line: string): void => void said.push(line);
  return new Webhook(SETTINGS, {
    logger: { ...silentLogger, warn: say, info: say },
    post: (_settings, { id }, { signal }) => {
      posted.push(id);
      return untilAborted(answer(id), signal);
    },
    pause: (ms) => {
      pauses.push(ms);
      return Promise.resolve();
    },
    random: () => 0.5,
    ...changes,
  });
}

const passing = (): Promise<never> =>
  Promise.reject(new WebhookError('https://hooks.example: status 503', true));
const hangs = (): Promise<never> => new Promise(() => undefined);

test('alerts are sent in order, one at a time', async () => {
  let finish: (() => void) | undefined;
  answer = () => new Promise((resolve) => (finish = resolve));
  const webhook = webhookOf();
  for (let i = 0; i < 3; i++) webhook.send(message(i));
  for (let i = 0; i < 3; i++) {
    await settle();
    expect(posted).toEqual(['0', '1', '2'].slice(0, i + 1));
    finish?.();
  }
  await settle();
  webhook.send(message(3));
  expect(posted).toHaveLength(4);
  finish?.();
  await webhook.stop();
  expect(said).toEqual([]);
});

test('what does not arrive is sent five times, after growing pauses, and said once until something does', async () => {
  answer = passing;
  const webhook = webhookOf();
  webhook.send(message(1));
  webhook.send(message(2));
  await until(() => posted.length === 2 * MAX_ATTEMPTS);
  await settle();
  expect(posted.slice(0, 6)).toEqual(['1', '1', '1', '1', '1', '2']);
  expect(pauses.slice(0, 4)).toEqual([2000, 8000, 32_000, 128_000]);
  expect(said).toEqual([
    '--alert-webhook: an alert was sent 5 times and did not arrive: https://hooks.example: status 503. No more is said until one does.',
  ]);
  answer = () => Promise.resolve();
  webhook.send(message(3));
  await settle();
  expect(said.slice(1)).toEqual(['--alert-webhook: alerts arrive again']);
});

test.each([
  [0, 1000],
  [1 - Number.EPSILON, 3000],
])('pauses vary by a half', async (random, expected) => {
  answer = passing;
  const webhook = webhookOf({ random: () => random });
  webhook.send(message(1));
  await until(() => pauses.length > 0);
  expect(pauses[0]).toBe(expected);
  await webhook.stop();
});

test('a refusal that is final is not sent again', async () => {
  answer = () => Promise.reject(new WebhookError('https://hooks.example: status 404', false));
  const webhook = webhookOf();
  webhook.send(message(1));
  await settle();
  expect([posted, pauses]).toEqual([['1'], []]);
  expect(said[0]).toContain('was sent once and did not arrive');
});

test('what has no room to wait is dropped, the oldest first, and said once', async () => {
  const finish: (() => void)[] = [];
  answer = () => new Promise((resolve) => finish.push(resolve));
  const webhook = webhookOf();
  for (let i = 0; i < MAX_WAITING + 11; i++) webhook.send(message(i));
  expect(said).toEqual([
    '--alert-webhook: 64 alerts wait to be sent, so the oldest of the least severity are dropped',
  ]);
  answer = () => Promise.resolve();
  finish[0]?.();
  await until(() => posted.length === MAX_WAITING + 1);
  await settle();
  // The first was being sent.
  expect(posted.slice(0, 2)).toEqual(['0', '11']);
  expect(said.slice(1)).toEqual(['--alert-webhook: 10 alerts since the start never arrived']);
});

test('critical alerts are sent first and dropped last', async () => {
  const finish: (() => void)[] = [];
  answer = () => new Promise((resolve) => finish.push(resolve));
  const webhook = webhookOf();
  webhook.send(message(0));
  for (const id of [1, 2]) webhook.send(message(id, 'critical'));
  webhook.send(message(3, 'info'));
  for (let i = 0; i < MAX_WAITING - 3; i++) webhook.send(message(4));
  webhook.send(message(5));
  webhook.send(message(6));
  answer = () => Promise.resolve();
  finish[0]?.();
  await until(() => posted.length === MAX_WAITING + 1);
  expect(posted.slice(0, 4)).toEqual(['0', '1', '2', '4']);
  expect(posted).not.toContain('3');
  expect(posted.slice(-2)).toEqual(['5', '6']);
});

test('a stop ends a pause, and sends what waits once', async () => {
  answer = passing;
  const webhook = webhookOf({
    pause: (_ms, signal) =>
      new Promise((_, reject) => {
        signal.addEventListener('abort', () => reject(new Error('stopped')));
      }),
  });
  for (let i = 0; i < 3; i++) webhook.send(message(i));
  await settle();
  expect(posted).toEqual(['0']);
  await webhook.stop();
  expect(posted).toEqual(['0', '0', '1', '2']);
  webhook.send(message(4));
  expect(posted).toHaveLength(4);
});

test('a stop does not wait for a server that hangs', async () => {
  answer = hangs;
  const webhook = webhookOf({ stopMs: 0 });
  for (let i = 0; i < 3; i++) webhook.send(message(i));
  await webhook.stop();
  expect(posted).toEqual(['0']);
  expect(said).toEqual(['--alert-webhook: 3 alerts did not arrive before the node stopped']);
});

test.each([
  [undefined, 1500],
  [() => new Promise<never>(() => undefined), 5000],
])('a stop gives a server some seconds, more through a proxy', async (dial, ms) => {
  jest.useFakeTimers();
  try {
    answer = hangs;
    const webhook = webhookOf({ dial });
    webhook.send(message(1));
    const stopped = webhook.stop();
    await jest.advanceTimersByTimeAsync(ms - 1);
    expect(said).toEqual([]);
    await jest.advanceTimersByTimeAsync(1);
    await stopped;
    expect(said).toHaveLength(1);
  } finally {
    jest.useRealTimers();
  }
});

test('a stop without anything to send is over at once', async () => {
  await webhookOf().stop();
  expect(posted).toEqual([]);
});
