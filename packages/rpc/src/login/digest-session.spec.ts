import { digestResponse, parseAuthorization } from '@monero-node/rpc-schema/login';
import {
  digestLogin,
  header,
  LOGIN,
  offeredBy,
  outcome,
  sessionOf,
  type Changes,
} from '../testing/digest-client.ts';
import { recordedServer, type RecordedServer } from '../testing/recorded-server.ts';
import { Talk } from '../testing/talk.ts';

test('the response is that of the example in RFC 2617, section 3.5', () => {
  const response = digestResponse({ username: 'Mufasa', password: 'Circle Of Life' }, 'GET', {
    algorithm: 'MD5',
    realm: 'testrealm@host.com',
    nonce: 'dcd98b7102dd2f0e8b11d0f600bfb0c093',
    nc: '00000001',
    cnonce: '0a4f113b',
    qop: 'auth',
    uri: '/dir/index.html',
  });
  expect(response).toBe('6629fae49393a05397450978507c4ef1');
});

/** Outcomes of requests on one connection after its first challenge: `in`, or the `stale` of a new challenge. */
function outcomes(...requests: readonly (Changes | undefined)[]): string[] {
  const session = sessionOf(digestLogin());
  let nonce = offeredBy(session.challenge('GET', undefined));
  return requests.map((changes) => {
    const given = changes === undefined ? undefined : header(nonce, changes);
    const challenge = session.challenge('GET', given);
    if (challenge !== undefined) nonce = offeredBy(challenge);
    return outcome(challenge);
  });
}

const drop =
  (name: string) =>
  (fields: Record<string, string>): Record<string, string> =>
    Object.fromEntries(Object.entries(fields).filter(([key]) => key !== name));
const put =
  (name: string, value: string) =>
  (fields: Record<string, string>): Record<string, string> => ({ ...fields, [name]: value });

// Every row was recorded from monerod 0.18.0.0.
describe('as monerod 0.18.0.0 decides', () => {
  test.each<[counts: string[], expected: string[]]>([
    [
      ['00000001', '00000002', '00000003'],
      ['in', 'in', 'in'],
    ],
    [
      ['00000005', '00000006', '00000002'],
      ['in', 'true', 'in'],
    ],
    [
      ['00000005', '00000002', '00000003'],
      ['in', 'in', 'in'],
    ],
    [
      ['00000001', '00000001', '00000001', '00000001'],
      ['in', 'true', 'in', 'true'],
    ],
    [
      ['00000001', '00000003', '00000001', '00000002'],
      ['in', 'true', 'in', 'in'],
    ],
    [
      ['0000000a', '0000000A', '00000002', '00000003'],
      ['in', 'true', 'in', 'true'],
    ],
    [
      ['ffffffff', '00000002'],
      ['in', 'in'],
    ],
    [
      ['1', '2'],
      ['false', 'false'],
    ],
    [['000000001'], ['false']],
    [['zzzzzzzz'], ['false']],
  ])('nc %j', (counts, expected) => {
    expect(outcomes(...counts.map((nc) => ({ nc })))).toEqual(expected);
  });

  test.each<[name: string, requests: Changes[], expected: string[]]>([
    [
      'MD5-sess',
      [{ algorithm: 'MD5-sess' }, { algorithm: 'MD5-sess', nc: '00000002' }],
      ['in', 'in'],
    ],
    ['algorithm in another case', [{ algorithm: 'md5-SESS' }], ['in']],
    ['algorithm that begins with MD5', [{ algorithm: 'MD5foo' }], ['in']],
    ['algorithm that begins with MD5 and ends with -sess', [{ algorithm: 'MD5x-sess' }], ['in']],
    ['quoted algorithm', [{ algorithm: '"MD5-sess"' }], ['in']],
    ['no algorithm', [{ algorithm: '' }], ['in']],
    ['SHA-256', [{ algorithm: 'SHA-256' }], ['false']],
    ['RFC 2069, once per nonce', [{ qop: '' }, { qop: '' }, { qop: '' }], ['in', 'true', 'in']],
    ['qop AUTH', [{ qop: 'AUTH' }], ['in']],
    ['qop auth-int', [{ qop: 'auth-int' }], ['false']],
    ['quoted qop', [{ edit: put('qop', '"auth"') }], ['in']],
    ['quoted nc', [{ edit: put('nc', '"00000001"') }], ['false']],
    ['wrong user', [{ user: 'other' }], ['false']],
    ['wrong password', [{ pass: 'other' }, { pass: 'other' }], ['false', 'false']],
    ['wrong realm signed', [{ realm: 'other' }], ['false']],
    ['wrong realm sent', [{ edit: put('realm', '"x"') }], ['in']],
    ['no realm sent', [{ edit: drop('realm') }], ['in']],
    ['another uri', [{ uri: '/other' }], ['in']],
    ['empty uri', [{ uri: '' }], ['false']],
    ['another verb', [{ verb: 'POST' }], ['false']],
    ['unknown nonce', [{ nonce: 'AAAAAAAAAAAAAAAAAAAAAA==' }], ['true']],
    [
      'response in capitals',
      [{ edit: (f) => put('response', (f['response'] ?? '').toUpperCase())(f) }],
      ['in'],
    ],
    [
      'half a byte in the response',
      [{ edit: (f) => put('response', `${(f['response'] ?? '').slice(0, -2)}"`)(f) }],
      ['false'],
    ],
    [
      'names in capitals',
      [
        {
          edit: (f) => Object.fromEntries(Object.entries(f).map(([k, v]) => [k.toUpperCase(), v])),
        },
      ],
      ['in'],
    ],
    ['unknown field', [{ edit: put('foo', 'bar') }], ['false']],
    ['domain', [{ edit: put('domain', '"x"') }], ['in']],
    ['opaque', [{ edit: put('opaque', '"x"') }], ['in']],
    ['empty opaque', [{ edit: put('opaque', '""') }], ['false']],
    ['stale', [{ edit: put('stale', 'false') }], ['in']],
    ['last of two user names', [{ edit: (f) => ({ 'username ': '"zz"', ...f }) }], ['in']],
    ['user name without quotes', [{ edit: put('username', 'user') }], ['false']],
    ['comma at the end', [{ edit: put('nc', '00000001,') }], ['false']],
    [
      'spaces everywhere',
      [
        {
          edit: (f) => Object.fromEntries(Object.entries(f).map(([k, v]) => [` ${k} `, ` ${v} `])),
        },
      ],
      ['in'],
    ],
    ['empty cnonce', [{ cnonce: '' }], ['false']],
    ['no cnonce', [{ cnonce: '', edit: drop('cnonce') }], ['in']],
    [
      'no nc, first request only',
      [
        { nc: '', edit: drop('nc') },
        { nc: '', edit: drop('nc') },
      ],
      ['in', 'true'],
    ],
    ['quote in cnonce', [{ cnonce: 'a\\"b' }], ['in']],
    ['cnonce beyond ASCII', [{ cnonce: 'a\xe9b' }], ['false']],
    ['backslash at the end of cnonce', [{ cnonce: 'a\\' }], ['false']],
  ])('%s', (_name, requests, expected) => {
    expect(outcomes(...requests)).toEqual(expected);
  });

  test('a request without a login invalidates the nonce', () => {
    expect(outcomes({}, undefined, { nc: '00000002' })).toEqual(['in', 'false', 'in']);
  });

  test.each<[name: string, change: (header: string) => string, expected: string[]]>([
    ['nothing but the scheme', () => 'Digest', ['false', 'in']],
    ['another scheme', () => 'Basic dXNlcjpwYXNz', ['false', 'in']],
    ['scheme in small letters', (h) => h.replace('Digest', 'digest'), ['in', 'true']],
    ['no space after the scheme', (h) => h.replace('Digest ', 'Digest'), ['in', 'true']],
    ['spaces before', (h) => `   ${h}`, ['in', 'true']],
    ['tab behind', (h) => `${h}\t`, ['in', 'true']],
    ['more text behind', (h) => `${h} x`, ['false', 'in']],
    ['tabs between', (h) => h.replaceAll(', ', ',\t'), ['in', 'true']],
    ['empty fields', (h) => h.replaceAll(', ', ',, '), ['false', 'in']],
  ])('%s, then a good header', (_name, change, expected) => {
    const session = sessionOf(digestLogin());
    let nonce = offeredBy(session.challenge('GET', undefined));
    const first = session.challenge('GET', change(header(nonce)));
    if (first !== undefined) nonce = offeredBy(first);
    const second = session.challenge('GET', header(nonce));
    expect([outcome(first), outcome(second)]).toEqual(expected);
  });
});

test('without a nonce that was given out nobody gets in, not even with an empty one', () => {
  const session = sessionOf(digestLogin());
  const early = header('', { qop: '', edit: drop('nonce') });
  expect(parseAuthorization(early)).toMatchObject({ nonce: '' });
  expect(outcome(session.challenge('GET', early))).toBe('true');
});

test('names and passwords outside ASCII are UTF-8', () => {
  const session = sessionOf(digestLogin({ username: 'user', password: 'pä🔑' }));
  const nonce = offeredBy(session.challenge('GET', undefined));
  expect(session.challenge('GET', header(nonce, { pass: 'pä🔑' }))).toBeUndefined();
});

test('hostile headers are refused quickly', () => {
  const start = Date.now();
  for (const text of [
    'Digest ' + ' '.repeat(90_000),
    'Digest username="' + '\\'.repeat(90_000),
    'Digest ' + 'nc=00000001,'.repeat(7000) + 'x',
    'Digest qop=' + 'a'.repeat(90_000) + '"',
  ]) {
    expect(parseAuthorization(text)).toBeUndefined();
  }
  // Quadratic work would take minutes.
  expect(Date.now() - start).toBeLessThan(20_000);
});

describe('over HTTP', () => {
  let node: RecordedServer;
  beforeEach(async () => {
    node = await recordedServer({ login: LOGIN, corsOrigins: ['*'] });
  });
  afterEach(() => node.stop());

  const get = (path: string, headers = ''): string =>
    `GET ${path} HTTP/1.1\r\nHost: x\r\n${headers}\r\n`;
  const nonceIn = (head: string): string => /nonce="([^"]+)"/.exec(head)?.[1] ?? '';

  test('the challenge is that of monerod, byte for byte', async () => {
    const talk = await Talk.open(node.port);
    const { head, body } = await talk.ask(get('/nowhere', 'Origin: http://x\r\n'));
    const nonce = nonceIn(head);
    expect(nonce).toMatch(/^[A-Za-z0-9+/]{22}==$/);
    expect(head.replace(/Last-Modified: [^\r]+/, 'Last-Modified: *').replaceAll(nonce, '*')).toBe(
      [
        'HTTP/1.1 401 Unauthorized',
        'Server: Epee-based',
        'Content-Length: 98',
        'Content-Type: text/html',
        'Last-Modified: *',
        'Accept-Ranges: bytes',
        'Access-Control-Allow-Origin: http://x',
        'Access-Control-Expose-Headers: www-authenticate',
        'Access-Control-Allow-Methods: POST, PUT, GET, OPTIONS',
        'WWW-authenticate: Digest qop="auth",algorithm=MD5,realm="monero-rpc",nonce="*",stale=false',
        'WWW-authenticate: Digest qop="auth",algorithm=MD5-sess,realm="monero-rpc",nonce="*",stale=false',
        ...head.split('\r\n').slice(11),
      ].join('\r\n'),
    );
    expect(body).toBe(
      '<html><head><title>Unauthorized Access</title></head><body><h1>401 Unauthorized</h1></body></html>',
    );
    talk.close();
  });

  test('both listeners require a login before they reveal what they serve; OPTIONS does not', async () => {
    for (const port of [node.port, node.restrictedPort]) {
      const talk = await Talk.open(port);
      expect((await talk.ask('OPTIONS /get_height HTTP/1.1\r\nHost: x\r\n\r\n')).head).toMatch(
        /^HTTP\/1.1 200 OK\r\n/,
      );
      const first = await talk.ask(get('/nowhere'));
      expect(first.head).toMatch(/^HTTP\/1.1 401 /);
      const signed = header(nonceIn(first.head), { uri: '/nowhere' });
      const second = await talk.ask(get('/nowhere', `Authorization: ${signed}\r\n`));
      expect(second.head).toMatch(/^HTTP\/1.1 404 /);
      const next = header(nonceIn(first.head), { nc: '00000002' });
      expect((await talk.ask(get('/get_height', `authorization: ${next}\r\n`))).head).toMatch(
        /^HTTP\/1.1 200 Ok\r\n/,
      );
      talk.close();
    }
  });

  test('a client that closes its connection after each answer gets in with the nonce of the one before, once', async () => {
    for (const port of [node.port, node.restrictedPort]) {
      const once = async (authorization = ''): Promise<string> => {
        const talk = await Talk.open(port);
        const request = `GET /get_height HTTP/1.0\r\n${authorization}\r\n`;
        const { head } = await talk.ask(request);
        talk.close();
        return head;
      };
      const first = await once();
      expect(first).toMatch(/ 401 [^]*stale=false/);
      const signed = `Authorization: ${header(nonceIn(first))}\r\n`;
      expect(await once(signed)).toContain('200 Ok');
      const again = await once(signed);
      expect(again).toMatch(/ 401 [^]*stale=true/);
      expect(nonceIn(again)).not.toBe(nonceIn(first));
      const next = `Authorization: ${header(nonceIn(first), { nc: '00000002' })}\r\n`;
      expect(await once(next)).toContain('200 Ok');
    }
  });
});
