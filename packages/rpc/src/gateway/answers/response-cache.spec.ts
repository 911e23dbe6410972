import type { RpcServices } from '../../context.ts';
import { METHODS } from '../../methods/index.ts';
import type { RpcMethod } from '../../method.ts';
import { jsonReply, type Reply } from './reply.ts';
import { ResponseCache } from './response-cache.ts';

const REQUEST = Buffer.from('{"method":"get_block_count"}');
const URL = '/json_rpc';

function setUp() {
  const state = { topId: new Uint8Array(32), synchronized: true, isSet: false };
  const services = { chain: state, p2p: state, bootstrap: state } as unknown as RpcServices;
  const answers = new ResponseCache(services);
  const reply: Reply = {
    ...jsonReply({ chunks: ['7'], length: 1 }),
    steady: METHODS[0] as RpcMethod,
  };
  const ask = (): Reply | undefined => answers.get(URL, REQUEST);
  const answer = (given: Reply = reply, body: Uint8Array = REQUEST): void => {
    answers.begin(URL, body)(given);
  };
  return { state, answers, reply, ask, answer };
}

test('an answer is kept for the same request', () => {
  const { answers, reply, ask, answer } = setUp();
  expect(ask()).toBeUndefined();
  answer();
  expect(ask()).toBe(reply);
  expect(answers.get('/get_height', REQUEST)).toBeUndefined();
  expect(answers.get(URL, Buffer.from('{"method":"get_block_count"} '))).toBeUndefined();
});

test('is kept until the top block changes', () => {
  const { state, reply, ask, answer } = setUp();
  answer();
  state.topId = new Uint8Array(32).fill(1);
  expect(ask()).toBeUndefined();
  answer();
  expect(ask()).toBe(reply);
  state.topId = new Uint8Array(32);
  expect(ask()).toBeUndefined();
});

test('is kept until the node falls behind or catches up', () => {
  const { state, ask, answer } = setUp();
  answer();
  state.synchronized = false;
  expect(ask()).toBeUndefined();
});

test('returns no kept answer while a bootstrap daemon is set', () => {
  const { state, ask, answer } = setUp();
  answer();
  state.isSet = true;
  expect(ask()).toBeUndefined();
});

test('keeps no answer made while a bootstrap daemon is set', () => {
  const { state, reply, ask, answer } = setUp();
  state.isSet = true;
  answer();
  state.isSet = false;
  expect(ask()).toBeUndefined();
  answer();
  expect(ask()).toBe(reply);
});

test('keeps no answer when a block arrived meanwhile', () => {
  const { state, answers, reply, ask } = setUp();
  const keep = answers.begin(URL, REQUEST);
  state.topId = new Uint8Array(32).fill(1);
  keep(reply);
  expect(ask()).toBeUndefined();
});

test('keeps no answer of other methods or to long requests', () => {
  const { answers, reply, ask, answer } = setUp();
  answer(jsonReply({ chunks: ['7'], length: 1 }));
  expect(ask()).toBeUndefined();
  const long = Buffer.alloc(513, 0x20);
  answer(reply, long);
  expect(answers.get(URL, long)).toBeUndefined();
});

test('when it is full, an answer is kept only when it is asked for again', () => {
  const { answers, reply, answer } = setUp();
  const request = (number: number): Buffer => Buffer.from(`{"id":${number}}`);
  for (let i = 0; i < 5000; i++) answer(reply, request(i));
  const kept = (i: number): boolean => answers.get(URL, request(i)) !== undefined;
  expect([kept(0), kept(3999), kept(4000), kept(4999)]).toEqual([true, true, false, false]);
  answer(reply, request(4999));
  expect(kept(4999)).toBe(true);
  expect(Array.from({ length: 5000 }, (_, i) => kept(i)).filter(Boolean)).toHaveLength(4000);
});

test('when the bytes of kept answers reach the limit, a new one takes room only once it is asked for again', () => {
  const { answers, reply } = setUp();
  const large: Reply = { ...reply, body: { chunks: ['7'], length: 1 << 20 } };
  const requests = ['a', 'b', 'c', 'd'].map((name) => Buffer.from(name));
  for (const request of requests) answers.begin(URL, request)(large);
  const kept = (): number => requests.filter((request) => answers.get(URL, request)).length;
  expect(kept()).toBe(3);
  expect(answers.get(URL, requests[3] as Buffer)).toBeUndefined();
  answers.begin(URL, requests[3] as Buffer)(large);
  expect(answers.get(URL, requests[3] as Buffer)).toBe(large);
  expect(kept()).toBe(3);
});
