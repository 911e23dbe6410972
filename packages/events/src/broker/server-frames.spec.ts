// cspell:words HMSG
import { SERVER_INFO } from '../testing/fake-nats-server.ts';
import { MAX_LINE_BYTES, MAX_MESSAGE_BYTES, ServerFrames } from './server-frames.ts';

const INFO = `INFO ${JSON.stringify(SERVER_INFO)} \r\n`;

function taken(text: string, size = text.length, frames = new ServerFrames(() => 0)): string {
  const bytes = Buffer.from(text);
  const slices: Uint8Array[] = [];
  for (let at = 0; at < bytes.length; at += size) {
    slices.push(...frames.take(bytes.subarray(at, at + size)));
  }
  return Buffer.concat(slices).toString();
}

test.each([1, 2, 3, 7, 1000])('what a server sends passes unchanged in chunks of %d', (size) => {
  const text =
    `${INFO}PING\r\nPONG\r\n+OK\r\n-ERR 'Permissions Violation'\r\n` +
    'MSG a.b 1 4\r\nPI\r\n\r\nMSG a 2 _INBOX.x 0\r\n\r\nMSG a 2  1\r\nx\r\nHMSG a 3  12 12\r\nNATS/1.0\r\n\r\n\r\nHMSG a 3 r 12 14\r\nNATS/1.0\r\n\r\nab\r\nPING\r\n';
  expect(taken(text, size)).toBe(text);
});

test('a chunk is handed on in slices of few lines', () => {
  const slices = [...new ServerFrames(() => 0).take(Buffer.from('PONG\r\n'.repeat(1000)))];
  expect(Math.max(...slices.map(({ length }) => length))).toBe(64 * 6);
  expect(slices.reduce((sum, { length }) => sum + length, 0)).toBe(6000);
});

test.each([
  ['a line without an end', `INFO ${'x'.repeat(MAX_LINE_BYTES)}`, 'a line of more than 65536'],
  ['an endless subject', `MSG ${'x'.repeat(MAX_LINE_BYTES)}`, 'a line of more than 65536'],
  ['a long message', `MSG a 1 ${MAX_MESSAGE_BYTES + 1}\r\n`, 'message of 2097153 bytes'],
  ['a negative length', 'MSG a 1 -1\r\n', 'not of the NATS protocol'],
  ['a length that is no number', 'MSG a 1 1e3\r\n', 'not of the NATS protocol'],
  ['no length', 'MSG a 1\r\n', 'not of the NATS protocol'],
  ['headers longer than the message', 'HMSG a 1 13 12\r\n', 'message of 12 bytes'],
  ['a message without its end', 'MSG a 1 2\r\nabcd\r\n', 'another length'],
  ['a line without CR', 'PING\n', 'without CR'],
  ['an error without text', '-ERR\r\n', 'not of the NATS protocol'],
  ['an error with an escape', "-ERR 'a\u001b[2J'\r\n", 'not of the NATS protocol'],
  ['HTTP', 'HTTP/1.1 400 Bad Request\r\n', 'not of the NATS protocol'],
  ['INFO that is not JSON', 'INFO {\r\n', 'not JSON'],
])('%s is refused', (_, text, message) => {
  expect(() => taken(text)).toThrow(message);
  expect(() => taken(text, 5)).toThrow(message);
});

test.each([
  [{ max_payload: -1 }, 'messages of -1 bytes'],
  [{ max_payload: 0 }, 'messages of 0 bytes'],
  [{ max_payload: 1 }, 'messages of 1 bytes'],
  [{ max_payload: undefined }, 'messages of undefined bytes'],
  [{ max_payload: '1048576' }, 'messages of "1048576" bytes'],
  [{ max_payload: 1e300 }, 'messages of 1e+300 bytes'],
  [{ version: undefined }, 'the version undefined'],
  [{ version: 'x'.repeat(9999) }, 'the version "xxx'],
  [{ nonce: 7 }, 'something else than a nonce'],
  [{ connect_urls: 'a' }, 'names others'],
  [{ connect_urls: [7] }, 'names others'],
  [{ connect_urls: ['a b'] }, 'names others'],
  [{ connect_urls: Array(65).fill('a:1') }, 'names others'],
])('INFO with %j is refused, at first and later', (change, message) => {
  const line = `INFO ${JSON.stringify({ ...SERVER_INFO, ...change })}\r\n`;
  expect(() => taken(line)).toThrow(message);
  expect(() => taken(`${INFO}${line}`)).toThrow(message);
});

test('a flood of lines that a server sends of its own accord is refused, until the period is over', () => {
  let now = 0;
  const frames = new ServerFrames(() => now);
  taken('PING\r\n'.repeat(1000), undefined, frames);
  now = 10_000;
  taken('PING\r\n'.repeat(1000), undefined, frames);
  expect(() => taken('PING\r\n', undefined, frames)).toThrow('floods');
});
