import { EventEmitter } from 'node:events';
import { AskMainError } from '../errors.ts';
import type { Origin } from '../gateway/call-request.ts';
import { Caller, CallerGroup } from '../scheduling/time-shares.ts';
import type { PassedCall, PassedReply, ToMain } from './channel.ts';
import { MainClient } from './main-client.ts';

const REQUEST: PassedCall = {
  port: 'main',
  verb: 'POST',
  url: '/get_bans',
  headers: {},
  body: new Uint8Array(0),
  address: '127.0.0.1',
  fromForeignPage: false,
  isForPage: false,
};
const REPLY: PassedReply = {
  status: 200,
  phrase: 'Ok',
  contentType: 'application/json',
  close: false,
  method: 'get_bans',
  chunks: ['{}'],
  length: 2,
  hasRest: false,
};

/** A client that can leave. */
class FakeClient extends EventEmitter implements Origin {
  readonly address = '127.0.0.1';
  readonly caller = new Caller(new CallerGroup());
  isGone = false;

  onGone(listener: () => void): () => void {
    this.once('close', listener);
    return () => this.off('close', listener);
  }

  cutOff(): void {
    this.leave();
  }

  leave(): void {
    this.isGone = true;
    this.emit('close');
  }
}

let client: FakeClient;
beforeEach(() => (client = new FakeClient()));

/** Returns a client of the main process and what it has sent. */
function clientWithSent(): { readonly mainClient: MainClient; readonly sent: ToMain[] } {
  const sent: ToMain[] = [];
  return { mainClient: new MainClient((message) => sent.push(message)), sent };
}

test('each answer goes to its own question', async () => {
  const { mainClient, sent } = clientWithSent();
  const first = mainClient.pass(REQUEST, client);
  const second = mainClient.pass({ ...REQUEST, url: '/get_limit' }, client);
  expect(sent).toMatchObject([
    { kind: 'call', call: 1, request: { url: '/get_bans' } },
    { kind: 'call', call: 2, request: { url: '/get_limit' } },
  ]);
  mainClient.answered({ kind: 'reply', call: 2, reply: { ...REPLY, method: 'get_limit' } });
  mainClient.answered({ kind: 'reply', call: 1, reply: REPLY });
  expect(await first).toMatchObject({ method: 'get_bans', body: { chunks: ['{}'], length: 2 } });
  expect((await second).method).toBe('get_limit');
});

test('an answer that was cut off ends the call', async () => {
  const { mainClient } = clientWithSent();
  const call = mainClient.pass(REQUEST, client);
  mainClient.answered({ kind: 'reply', call: 1, reply: undefined });
  await expect(call).rejects.toThrow('the client has left');
});

test('a long answer is asked for part by part, and given up when its client leaves', async () => {
  const { mainClient, sent } = clientWithSent();
  const call = mainClient.pass(REQUEST, client);
  mainClient.answered({
    kind: 'reply',
    call: 1,
    reply: { ...REPLY, chunks: [], length: 0, hasRest: true },
  });
  const { rest } = (await call).body;
  if (rest === undefined) throw new Error('the answer has no rest');
  const part = rest.next();
  expect(sent.at(-1)).toEqual({ kind: 'more', call: 1 });
  mainClient.answered({ kind: 'part', call: 1, chunks: [new Uint8Array([7])] });
  expect(await part).toEqual({ done: false, value: [new Uint8Array([7])] });
  await rest.return();
  expect(sent.at(-1)).toEqual({ kind: 'abandon', call: 1 });
});

test('a long answer that breaks off does not look complete', async () => {
  const { mainClient } = clientWithSent();
  const call = mainClient.pass(REQUEST, client);
  mainClient.answered({ kind: 'reply', call: 1, reply: { ...REPLY, hasRest: true } });
  const part = (await call).body.rest?.next();
  mainClient.answered({ kind: 'part', call: 1, chunks: undefined });
  await expect(part).rejects.toThrow('the client has left');
});

test('the main process answers a call whose changes of the pool it does not send', async () => {
  const { mainClient, sent } = clientWithSent();
  const changes = mainClient.poolChanges(0, false);
  expect(sent).toEqual([{ kind: 'pool', call: 1, since: 0, includePrivate: false }]);
  mainClient.answered({ kind: 'pool', call: 1, changes: undefined });
  await expect(changes).rejects.toThrow(AskMainError);
});

test('a client that leaves before its answer ends the call here and in the main process', async () => {
  const { mainClient, sent } = clientWithSent();
  const call = mainClient.pass(REQUEST, client);
  client.leave();
  await expect(call).rejects.toThrow('the client has left');
  expect(sent.slice(1)).toEqual([{ kind: 'abandon', call: 1 }]);
  // An answer that comes too late is ignored.
  mainClient.answered({ kind: 'reply', call: 1, reply: REPLY });
  await expect(mainClient.pass(REQUEST, client)).rejects.toThrow('the client has left');
  expect(sent).toHaveLength(2);
});

test('a client that leaves while nothing comes of a long answer ends it', async () => {
  const { mainClient, sent } = clientWithSent();
  const call = mainClient.pass(REQUEST, client);
  mainClient.answered({ kind: 'reply', call: 1, reply: { ...REPLY, chunks: [], hasRest: true } });
  const part = (await call).body.rest?.next();
  client.leave();
  await expect(part).rejects.toThrow('the client has left');
  expect(sent.at(-1)).toEqual({ kind: 'abandon', call: 1 });
});

test('nothing is listened for once an answer has come', async () => {
  const { mainClient } = clientWithSent();
  const whole = mainClient.pass(REQUEST, client);
  mainClient.answered({ kind: 'reply', call: 1, reply: REPLY });
  await whole;
  const long = mainClient.pass(REQUEST, client);
  mainClient.answered({ kind: 'reply', call: 2, reply: { ...REPLY, hasRest: true } });
  const { rest } = (await long).body;
  expect(client.listenerCount('close')).toBe(1);
  const part = rest?.next();
  mainClient.answered({ kind: 'part', call: 2, chunks: [] });
  expect(await part).toEqual({ done: true, value: undefined });
  expect(client.listenerCount('close')).toBe(0);
});

test('whether a nonce has been used is asked of the main process', async () => {
  const { mainClient, sent } = clientWithSent();
  const answers = [mainClient.spendNonce('n', 1), mainClient.spendNonce('n', 1)];
  expect(sent).toEqual([1, 2].map((call) => ({ kind: 'spend-nonce', call, nonce: 'n', count: 1 })));
  mainClient.answered({ kind: 'nonce', call: 1, isLetIn: true });
  mainClient.answered({ kind: 'nonce', call: 2, isLetIn: false });
  expect(await Promise.all(answers)).toEqual([true, false]);
});
