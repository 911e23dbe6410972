import { digestResponse, parseAuthorization } from '@monero-node/rpc-schema/login';
import { recordedServer, type RecordedServer } from '../testing/recorded-server.ts';
import { Talk } from '../testing/talk.ts';
import { DigestSession, type DigestLogin } from './digest-session.ts';
import { NonceLedger } from './nonce-uses.ts';
import { newNonceKey, Nonces } from './nonces.ts';

const LOGIN = { username: 'user', password: 'pass' };

let time = 0;
beforeEach(() => (time = 1_000_000));

/** Returns the login of a server; its clock is `time`. */
function digestLogin(login = LOGIN): DigestLogin {
  const nonces = new Nonces(newNonceKey(), () => time);
  return { login, nonces, uses: new NonceLedger(nonces) };
}

/** Returns a session whose answers need no other process. */
function sessionOf(login: DigestLogin): {
  challenge: (verb: string, authorization: string | undefined) => readonly string[] | undefined;
} {
  const session = new DigestSession(login);
  return {
    challenge: (verb, authorization) => {
      const challenge = session.challenge(verb, authorization);
      if (challenge instanceof Promise) throw new Error('the answer should be known');
      return challenge;
    },
  };
}

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

interface Changes {
  user?: string;
  pass?: string;
  verb?: string;
  uri?: string;
  algorithm?: string;
  qop?: string;
  nc?: string;
  cnonce?: string;
  nonce?: string;
  realm?: string;
  /** Edits the finished fields. */
  edit?: (fields: Record<string, string>) => Record<string, string>;
}

/** The header a client would send for a nonce. */
function header(offered: string, changes: Changes = {}): string {
  const {
    user = 'user',
    pass = 'pass',
    verb = 'GET',
    uri = '/get_height',
    cnonce = 'abc',
  } = changes;
  const { algorithm = 'MD5', qop = 'auth', nc = '00000001', nonce = offered } = changes;
  const response = digestResponse({ username: user, password: pass }, verb, {
    algorithm: algorithm.replaceAll('"', ''),
    realm: changes.realm ?? 'monero-rpc',
    nonce,
    nc,
    cnonce,
    qop,
    uri,
  });
  const quoted = { username: user, realm: 'monero-rpc', nonce, uri, response };
  const fields: Record<string, string> = Object.fromEntries(
    Object.entries(quoted).map(([name, value]) => [name, `"${value}"`]),
  );
  if (algorithm !== '') fields['algorithm'] = algorithm;
  if (qop !== '') Object.assign(fields, { qop, nc, cnonce: `"${cnonce}"` });
  const edited = changes.edit?.(fields) ?? fields;
  return `Digest ${Object.entries(edited)
    .map(([name, value]) => `${name}=${value}`)
    .join(', ')}`;
}

const offeredBy = (challenge: readonly string[] | undefined): string =>
  /nonce="([^"]+)"/.exec(challenge?.[1] ?? '')?.[1] ?? '';
const outcome = (challenge: readonly string[] | undefined): string =>
  challenge === undefined ? 'in' : (/stale=(\w+)/.exec(challenge[1] ?? '')?.[1] ?? '');

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

describe('on other connections than its own a nonce', () => {
  /** Returns the outcomes of requests, each on a connection of its own, with one nonce. */
  function elsewhere(login: DigestLogin, nonce: string, ...requests: readonly Changes[]): string[] {
    return requests.map((changes) =>
      outcome(sessionOf(login).challenge('GET', header(nonce, changes))),
    );
  }
  const offered = (login: DigestLogin): string =>
    offeredBy(sessionOf(login).challenge('GET', undefined));

  test('is accepted with a higher count each time', () => {
    const login = digestLogin();
    const counts = ['00000001', '00000001', '00000003', '00000002', '0000000a', 'ffffffff'];
    const requests = counts.map((nc) => ({ nc }));
    expect(elsewhere(login, offered(login), ...requests)).toEqual([
      ...['in', 'true', 'in', 'true', 'in', 'in'],
    ]);
  });

  test('is used up by a login without qop, and by none with a wrong password', () => {
    const login = digestLogin();
    const nonce = offered(login);
    const requests = [{ pass: 'other' }, { qop: '' }, { qop: '' }, { nc: '00000009' }];
    expect(elsewhere(login, nonce, ...requests)).toEqual(['false', 'in', 'true', 'true']);
  });

  test('is stale after a minute, and so is one that another server has made or that was changed', () => {
    const login = digestLogin();
    const nonce = offered(login);
    const foreign = offered(digestLogin());
    expect(elsewhere(login, foreign, {})).toEqual(['true']);
    const bytes = Buffer.from(nonce, 'base64');
    bytes.writeUInt8(bytes.readUInt8(4) ^ 1, 4);
    expect(elsewhere(login, bytes.toString('base64'), {})).toEqual(['true']);
    for (const other of [`${nonce} `, nonce.slice(0, -1), nonce.replace('==', ''), ''])
      expect(elsewhere(login, other, {})).toEqual([other === '' ? 'false' : 'true']);
    time += 60_000;
    expect(elsewhere(login, nonce, {})).toEqual(['in']);
    time += 1;
    expect(elsewhere(login, nonce, { nc: '00000002' })).toEqual(['true']);
  });

  test('is refused once it was used on its own, where it stays valid', () => {
    const login = digestLogin();
    const own = sessionOf(login);
    const nonce = offeredBy(own.challenge('GET', undefined));
    expect(outcome(own.challenge('GET', header(nonce)))).toBe('in');
    expect(elsewhere(login, nonce, {}, { nc: '00000002' })).toEqual(['true', 'true']);
    time += 3_600_000;
    expect(outcome(own.challenge('GET', header(nonce, { nc: '00000002' })))).toBe('in');
  });

  test('is refused on its own once it was used elsewhere with the same login', () => {
    const login = digestLogin();
    const own = sessionOf(login);
    const nonce = offeredBy(own.challenge('GET', undefined));
    expect(elsewhere(login, nonce, {})).toEqual(['in']);
    expect(outcome(own.challenge('GET', header(nonce)))).toBe('true');
  });

  test('takes no part in the count of the nonce that the connection was given', () => {
    const login = digestLogin();
    const other = offered(login);
    const session = sessionOf(login);
    const nonce = offeredBy(session.challenge('GET', undefined));
    const requests: [string, string][] = [
      [nonce, '00000001'],
      [other, '00000001'],
      [nonce, '00000002'],
    ];
    const results = requests.map(([with_, nc]) =>
      outcome(session.challenge('GET', header(with_, { nc }))),
    );
    expect(results).toEqual(['in', 'in', 'in']);
  });
});

test('used nonces are remembered until they expire; when there are too many, the older ones expire early', () => {
  const nonces = new Nonces(newNonceKey(), () => time);
  const ledger = new NonceLedger(nonces, 3);
  const made = Array.from({ length: 5 }, () => {
    time += 10;
    return nonces.make();
  });
  const spend = (index: number, count: number): boolean => ledger.spend(made[index] ?? '', count);
  expect([1, 2, 3, 4].map((index) => spend(index, 1))).toEqual([true, true, true, true]);
  expect(ledger.size).toBe(3);
  // The second was forgotten, so that it counts as old, and the first, which is older, too.
  expect([0, 1, 2, 3, 4].map((index) => spend(index, 2))).toEqual([
    ...[false, false, true, true, true],
  ]);
  time += 60_001;
  expect(ledger.spend(nonces.make(), 1)).toBe(true);
  expect(ledger.size).toBe(1);
});
