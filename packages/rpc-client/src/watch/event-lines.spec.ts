import { RpcAnswerError } from '../errors.ts';
import { EventLines } from './event-lines.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);
const PLACE = `5-${'ab'.repeat(32)}`;
const TEXT = `retry: 2000\n\n: a comment\n\nid: ${PLACE}\nevent: block.added\ndata: {"height":5,\ndata:"é":"ü"}\n\nevent: pool.added\r\ndata: {"id":"cd"}\r\n\r\nevent\rdata: {}\r\r`;
const EVENTS = [
  { name: 'block.added', data: { height: 5, é: 'ü' }, position: PLACE },
  { name: 'pool.added', data: { id: 'cd' }, position: undefined },
  { name: '', data: {}, position: undefined },
];

test('events are the same wherever the bytes are cut', () => {
  const whole = bytes(TEXT);
  for (let at = 0; at <= whole.length; at++) {
    const lines = new EventLines();
    const events = [...lines.take(whole.slice(0, at)), ...lines.take(whole.slice(at))];
    expect(events).toEqual(EVENTS);
  }
  const lines = new EventLines();
  expect([...whole].flatMap((byte) => [...lines.take(Uint8Array.of(byte))])).toEqual(EVENTS);
});

test('what has not ended is no event', () => {
  expect([...new EventLines().take(bytes('event: position\ndata: {}\n'))]).toEqual([]);
});

test.each(['{', '[]', '5', 'null', '""'])('data %s is refused', (data) => {
  const take = () => [...new EventLines().take(bytes(`data: ${data}\n\n`))];
  expect(take).toThrow('no JSON object');
});

test.each([
  '',
  '5-ab',
  '5-',
  '-1',
  '12345678901',
  `5-${'AB'.repeat(32)}`,
  '5&x=1',
  '5#',
  '5 ',
  'ü',
])('a position %j is refused', (id) => {
  const take = () => [...new EventLines().take(bytes(`id: ${id}\ndata: {}\n\n`))];
  expect(take).toThrow(RpcAnswerError);
});

test.each([
  ['a line', 'data: '.padEnd(70_000, 'x')],
  ['many lines', 'data: x\n'.repeat(20_000)],
  ['many lines that mean nothing', 'other: x\n'.repeat(20_000)],
])('%s without an end is refused', (_, text) => {
  const lines = new EventLines();
  const whole = bytes(text);
  const feed = () => {
    for (let at = 0; at < whole.length; at += 1000)
      Array.from(lines.take(whole.slice(at, at + 1000)));
  };
  expect(feed).toThrow(/more than 65536 characters/);
});

test('comments may come for ever', () => {
  const lines = new EventLines();
  const comment = bytes(': still here\n\n');
  const events = Array.from({ length: 20_000 }, () => [...lines.take(comment)]).flat();
  expect(events).toEqual([]);
});
