import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';
import { until } from '@monero-node/base/testing';
import { MAX_V2_BYTES, parseProxyHeader, readProxyHeader } from './proxy-header.ts';

const SIGNATURE = Buffer.from('\r\n\r\n\0\r\nQUIT\n', 'latin1');

/** A header of version 2 with its first byte, family and rest. */
function v2(first: number, family: number, rest: Buffer): Buffer {
  const head = Buffer.from([first, family, rest.length >> 8, rest.length & 0xff]);
  return Buffer.concat([SIGNATURE, head, rest]);
}

const V4 = Buffer.from([203, 0, 113, 7, 127, 0, 0, 1, 0x30, 0x39, 0x46, 0xa0]);
const V6 = Buffer.concat([
  Buffer.from('20010db8000000000000000000000001', 'hex'),
  Buffer.from('20010db8000000000000000000000002', 'hex'),
  Buffer.from([0x30, 0x39, 0x46, 0xa0]),
]);

const GOOD: [name: string, bytes: Buffer, source: string | undefined][] = [
  ['version 1', Buffer.from('PROXY TCP4 203.0.113.7 127.0.0.1 12345 18089\r\n'), '203.0.113.7'],
  ['version 1, IPv6', Buffer.from('PROXY TCP6 2001:db8::1 ::1 1 2\r\n'), '2001:db8::1'],
  ['version 1, long', Buffer.from('PROXY TCP6 2001:0DB8:0::1 ::1 1 2\r\n'), '2001:db8::1'],
  ['version 1, mapped', Buffer.from('PROXY TCP6 ::ffff:8.8.8.8 ::1 1 2\r\n'), '8.8.8.8'],
  ['version 1, unknown', Buffer.from('PROXY UNKNOWN\r\n'), undefined],
  ['version 1, unknown with text', Buffer.from('PROXY UNKNOWN a b c d\r\n'), undefined],
  ['version 2', v2(0x21, 0x11, V4), '203.0.113.7'],
  ['version 2, IPv6', v2(0x21, 0x21, V6), '2001:db8::1'],
  ['version 2, extensions', v2(0x21, 0x11, Buffer.concat([V4, Buffer.alloc(40)])), '203.0.113.7'],
  ['version 2, local', v2(0x20, 0x00, Buffer.alloc(0)), undefined],
  ['version 2, local with addresses', v2(0x20, 0x11, V4), undefined],
  ['version 2, a path', v2(0x21, 0x31, Buffer.alloc(216)), undefined],
];

test.each(GOOD)('%s names the client, in whatever parts it comes', (_name, bytes, source) => {
  const all = Buffer.concat([bytes, Buffer.from('GET / HTTP/1.1\r\n')]);
  const header = { kind: 'header', length: bytes.length, source };
  expect(parseProxyHeader(all)).toEqual(header);
  for (let length = 0; length < bytes.length; length++)
    expect(parseProxyHeader(all.subarray(0, length))).toEqual({ kind: 'partial' });
  expect(parseProxyHeader(bytes)).toEqual(header);
});

test('a header is read whose pieces are all there before it is looked for', async () => {
  const server = createServer({ pauseOnConnect: true }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const accepted = once(server, 'connection') as Promise<[Socket]>;
  const client = connect((server.address() as AddressInfo).port, '127.0.0.1');
  const [socket] = await accepted;
  const pieces = ['PROXY TCP4 203.0.', '113.7 127.0.0.1 1', ' 2\r\nGET / HTTP/1.1\r\n'];
  let sent = 0;
  for (const piece of pieces) {
    client.write(piece);
    sent += piece.length;
    socket.read(0);
    await until(() => socket.readableLength === sent);
  }
  const source = await new Promise((resolve) => readProxyHeader(socket, resolve));
  expect(source).toBe('203.0.113.7');
  expect(String(socket.read())).toBe('GET / HTTP/1.1\r\n');
  client.destroy();
  socket.destroy();
  server.close();
});

test.each([
  'GET /get_info HTTP/1.1\r\n',
  'POST /json_rpc HTTP/1.1\r\n',
  'PUT / HTTP/1.1\r\n',
  'PR',
  '\r\nGET / HTTP/1.1\r\n',
  '\x16\x03\x01\x02\x00',
])('%j is no header, as soon as it can be told', (text) => {
  const { kind } = parseProxyHeader(Buffer.from(text, 'latin1'));
  expect(kind).toBe(text === 'PR' ? 'partial' : 'none');
});

test.each<[name: string, bytes: Buffer]>([
  ['another family', Buffer.from('PROXY UDP4 1.2.3.4 1.2.3.4 1 2\r\n')],
  ['IPv6 as IPv4', Buffer.from('PROXY TCP4 ::1 ::1 1 2\r\n')],
  ['IPv4 as IPv6', Buffer.from('PROXY TCP6 1.2.3.4 1.2.3.4 1 2\r\n')],
  ['a port out of range', Buffer.from('PROXY TCP4 1.2.3.4 1.2.3.4 1 65536\r\n')],
  ['no ports', Buffer.from('PROXY TCP4 1.2.3.4 1.2.3.4\r\n')],
  ['a zone', Buffer.from('PROXY TCP6 fe80::1%eth0 ::1 1 2\r\n')],
  ['a line without end', Buffer.from(`PROXY TCP4 ${'1'.repeat(200)}`)],
  ['an end behind the limit', Buffer.from(`PROXY UNKNOWN ${'1'.repeat(100)}\r\n`)],
  ['version 3', v2(0x31, 0x11, V4)],
  ['another command', v2(0x22, 0x11, V4)],
  ['addresses cut off', v2(0x21, 0x11, V4.subarray(0, 11))],
  ['too long', v2(0x21, 0x11, Buffer.alloc(MAX_V2_BYTES))],
  ['the longest length', Buffer.concat([SIGNATURE, Buffer.from([0x21, 0x11, 0xff, 0xff])])],
])('malformed: %s', (_name, bytes) => {
  expect(parseProxyHeader(bytes)).toEqual({ kind: 'malformed' });
});
