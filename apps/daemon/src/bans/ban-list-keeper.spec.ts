import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { createServer as createTcpServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { guardServer, silentLogger, type Logger } from '@monero-node/base';
import { until } from '@monero-node/base/testing';
import { parseBanLines, type P2pNode } from '@monero-node/p2p';
import { dialThroughSocks, parseSocksEndpoint } from '@monero-node/p2p/socks';
import { SocksServer } from '@monero-node/p2p/testing';
import { BanListKeeper, type BanListDependencies } from './ban-list-keeper.ts';
import type { BanListUrl } from './ban-list-url.ts';

const LIST = '# bad ones\n203.0.113.7\n2001:db8::/32\n';
const BANNED = ['203.0.113.7', '2001:db8::/32'];
const MIB = 2 ** 20;
const LIMITS = { maxBytes: MIB, totalMs: 3000, idleMs: 300 };

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

let dir: string;
let answer: Answer;
let asked: string[];
let lines: string[];
let banned: string[];
let open: { stop: () => Promise<unknown> }[];
let port: number;

beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'ban-list-'));
  [asked, lines, banned, open] = [[], [], [], []];
  answer = (_, response) => response.end(LIST);
  const server = guardServer(
    createServer((request, response) => {
      asked.push(request.url ?? '');
      answer(request, response);
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
  open.push({
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  });
});
afterEach(async () => {
  for (const each of open.reverse()) await each.stop();
  rmSync(dir, { recursive: true });
});

const logger = (): Logger => {
  const say = (line: string): void => void lines.push(line.replace('ban list: ', ''));
  return { ...silentLogger, warn: say, info: say };
};

const peers: Pick<P2pNode, 'replaceBanList'> = {
  replaceBanList: async (list, check, author) => {
    const { targets, dropped } = parseBanLines([...list], author);
    check?.({ count: targets.length, dropped });
    const before = banned.length;
    banned = targets.map(({ text }) => text);
    return { before, after: banned.length, dropped };
  },
};

const source = (changes: Partial<BanListUrl> = {}): BanListUrl => ({
  url: new URL(`http://127.0.0.1:${port}/bans?token=5`),
  sha256: undefined,
  interval: 3_600_000,
  ...changes,
});

function keeperOf(
  from: BanListUrl | undefined,
  changes: Partial<BanListDependencies> = {},
): BanListKeeper {
  const keeper = new BanListKeeper(from, {
    dataDir: dir,
    offline: false,
    logger: logger(),
    limits: LIMITS,
    ...changes,
  });
  keeper.serve(peers);
  open.push(keeper);
  return keeper;
}

/** Starts a keeper; resolves when it has said something. */
async function started(
  from = source(),
  changes?: Partial<BanListDependencies>,
): Promise<BanListKeeper> {
  const keeper = keeperOf(from, changes);
  await keeper.start();
  await until(() => lines.length > 0);
  return keeper;
}

const copy = (): string => {
  const path = join(dir, 'ban-list-copy.txt');
  return existsSync(path) ? readFileSync(path, 'utf8') : '';
};

test('the list is downloaded, used and kept', async () => {
  await started();
  expect(lines).toEqual([`0 -> 2 hosts and subnets from http://127.0.0.1:${port}`]);
  expect([banned, asked]).toEqual([BANNED, ['/bans?token=5']]);
  await until(() => copy().endsWith(LIST));
  // The URL may be a secret.
  expect(copy()).toMatch(/^# The ban list of the URL with the SHA-256 [0-9a-f]{64}\n# bad/);
});

test('it bans nobody of the networks from which the owner comes', async () => {
  answer = (_, response) => response.end(`${LIST}127.0.0.1\n::/0\n`);
  await started();
  await until(() => lines.length === 2);
  expect(banned).toEqual(BANNED);
  expect(lines).toContain(
    '2 entries are neither a host nor a subnet of the internet and not banned: "127.0.0.1" (line 4), "::/0" (line 5)',
  );
});

test('it is asked for again after the interval, and only a change is a line', async () => {
  await started(source({ interval: 20 }));
  await until(() => asked.length >= 4);
  expect(lines).toHaveLength(1);
  answer = (_, response) => response.end('5.5.5.5\n');
  await until(() => lines.length === 2);
  expect(lines[1]).toMatch(/^2 -> 1 hosts and subnets from/);
  expect(banned).toEqual(['5.5.5.5']);
});

test('at the next start the copy is used while the server is away, and only that of this URL', async () => {
  await (await started()).stop();
  await until(() => copy().endsWith(LIST));
  const failing: Answer = (_, response) => response.writeHead(503).end();
  answer = failing;
  [banned, lines] = [[], []];
  await (await started()).stop();
  expect(banned).toEqual(BANNED);
  expect(lines[0]).toMatch(/^2 hosts and subnets are banned by the copy in .*ban-list-copy\.txt$/);
  [banned, lines] = [[], []];
  await started(source({ url: new URL(`http://127.0.0.1:${port}/other`) }));
  expect(banned).toEqual([]);
  expect(lines).toEqual([
    `http://127.0.0.1:${port}: it answered with status 503: no list of it is in use`,
  ]);
});

test('a copy that is damaged or too long is not used', async () => {
  await (await started()).stop();
  await until(() => copy().endsWith(LIST));
  const head = copy().split('\n')[0] ?? '';
  answer = (_, response) => response.writeHead(503).end();
  for (const text of ['', 'nonsense', `${head}\nno host\nnor this\n`, head.slice(0, 9)]) {
    writeFileSync(join(dir, 'ban-list-copy.txt'), text);
    [banned, lines] = [[], []];
    const keeper = await started();
    await until(() => lines.some((line) => line.includes('503')));
    expect(banned).toEqual([]);
    await keeper.stop();
  }
});

test('only the list with the digest that is asked for is taken, from the server and from the copy', async () => {
  const sha256 = createHash('sha256').update(LIST).digest('hex');
  await (await started(source({ sha256 }))).stop();
  expect(banned).toEqual(BANNED);
  await until(() => copy().endsWith(LIST));
  banned = [];
  lines = [];
  const keeper = await started(source({ sha256: '0'.repeat(64) }));
  await until(() => lines.length === 2);
  expect(banned).toEqual([]);
  expect(lines).toEqual([
    expect.stringMatching(new RegExp(`of no use: .* has the SHA-256 ${sha256}, not that of`)),
    expect.stringMatching(/not that of --ban-list-sha256: no list of it is in use$/),
  ]);
  await keeper.stop();
});

const SWITCH = 'HTTP/1.1 101\r\nConnection: Upgrade\r\nUpgrade: x\r\n\r\n';

/** Servers that give no list, and what is said about them. */
const bad: [what: string, answer: Answer, said: RegExp][] = [
  ['is silent', () => undefined, /it sent nothing for 0\.3 s/],
  [
    'stalls amid the list',
    (_, response) => void response.write(LIST),
    /it sent nothing for 0\.3 s/,
  ],
  [
    'trickles for ever',
    (_, response) => {
      const timer = setInterval(() => response.write('1.2.3.4\n'), 50);
      response.on('close', () => clearInterval(timer));
    },
    /it took longer than 3 s/,
  ],
  [
    'announces 2 GB',
    (_, response) => {
      response.setHeader('Content-Length', 2 * 1024 ** 3);
      response.write(LIST);
    },
    /its answer is longer than 1048576 bytes/,
  ],
  [
    'sends 2 GB without having announced it',
    (_, response) => {
      const part = Buffer.alloc(MIB / 4, '1.2.3.4\n');
      let sent = 0;
      const more = (): void => {
        while (sent < 2 * 1024 ** 3 && !response.destroyed) {
          sent += part.length;
          if (!response.write(part)) return void response.once('drain', more);
        }
        response.end();
      };
      more();
    },
    /its answer is longer than 1048576 bytes/,
  ],
  [
    'announces more than it sends',
    (_, response) => {
      response.setHeader('Content-Length', 5000);
      response.write(LIST, () => response.destroy());
    },
    /http.*: (aborted|socket hang up|terminated)/,
  ],
  [
    'announces no number',
    (request) => request.socket.end(`HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n${LIST}`),
    /http.*Content-Length/i,
  ],
  [
    'sends a page',
    (_, response) => response.end('<html>\n<p>Log in</p>\n1.2.3.4\n'),
    /is no ban list/,
  ],
  ['sends nothing', (_, response) => response.end(), /the list that came is empty/],
  ['has no list', (_, response) => response.writeHead(404).end(), /status 404/],
  [
    'compresses it',
    (_, response) => response.writeHead(200, { 'Content-Encoding': 'gzip' }).end(),
    /an encoding that was not asked for/,
  ],
  [
    'redirects to another service',
    (_, response) => response.writeHead(302, { Location: '/stop_daemon' }).end(),
    /it redirects to what is no https URL/,
  ],
  [
    'redirects to a file',
    (_, response) => response.writeHead(302, { Location: 'file:///etc/hosts' }).end(),
    /what is no https URL/,
  ],
  ['redirects nowhere', (_, response) => response.writeHead(302).end(), /is no https URL/],
  ['is no server of HTTP', (request) => request.socket.end('220 hello\r\n'), /http.*Parse Error/],
  ['hangs up', (request) => request.socket.destroy(), /http.*(hang up|ECONNRESET)/],
  [
    'switches to another protocol',
    (request) => request.socket.write(SWITCH),
    /http.*it closed the connection without an answer/,
  ],
  ...[100, 102, 103].map((status): (typeof bad)[number] => [
    `says ${status} for ever`,
    ({ socket }) => {
      const more = (): void => {
        if (socket.destroyed) return;
        socket.write(`HTTP/1.1 ${status} x\r\n\r\n`.repeat(100), () => setImmediate(more));
      };
      more();
    },
    /http.*it sent more than 16 answers before the one/,
  ]),
];

describe.each(bad)('a server that %s', (_, behave, said) => {
  test('is one line, and the list before stays', async () => {
    const keeper = await started(source({ interval: 30 }), { retryMs: 30 });
    expect(banned).toEqual(BANNED);
    answer = behave;
    await until(() => lines.length > 1);
    expect(lines[1]).toMatch(said);
    expect(lines[1]).toMatch(/: the list before stays$/);
    expect(banned).toEqual(BANNED);
    const before = asked.length;
    answer = (_, response) => response.end(`${LIST}5.5.5.5\n`);
    await until(() => lines.length > 2);
    expect(asked.length).toBeGreaterThan(before);
    expect(lines[2]).toMatch(/^2 -> 3 hosts/);
    await keeper.stop();
  });

  test('through a proxy too', async () => {
    const proxy = await SocksServer.open({ route: () => ({ host: '127.0.0.1', port }) });
    open.push({ stop: () => proxy.close() });
    const endpoint = parseSocksEndpoint(`socks5://${proxy.address}`);
    if (endpoint === undefined) throw new Error('no endpoint');
    answer = behave;
    const url = new URL('http://lists.example/bans');
    await started(source({ url }), { dial: dialThroughSocks(endpoint) });
    expect(lines).toEqual([expect.stringMatching(said)]);
    expect(lines[0]).toContain('http://lists.example');
    expect(proxy.requests[0]).toMatchObject({ host: 'lists.example', port: 80 });
    expect(banned).toEqual([]);
  });
});

test('the proxy looks up the name, and one that stalls is given up', async () => {
  const silent = guardServer(createTcpServer(() => undefined));
  await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
  open.push({ stop: async () => void silent.close() });
  const { port: at } = silent.address() as AddressInfo;
  const endpoint = parseSocksEndpoint(`127.0.0.1:${at}`);
  if (endpoint === undefined) throw new Error('no endpoint');
  const url = new URL('http://lists.example/bans');
  await started(source({ url }), {
    dial: dialThroughSocks(endpoint),
    limits: { ...LIMITS, totalMs: 200 },
  });
  expect(lines).toEqual([
    'http://lists.example: it took longer than 0.2 s: no list of it is in use',
  ]);
});

test('a failure that is repeated is one line', async () => {
  answer = (_, response) => response.writeHead(503).end();
  await started(source({ interval: 10 }));
  await until(() => asked.length > 4);
  expect(lines).toHaveLength(1);
});

test('neither the start nor the stop waits for a server', async () => {
  answer = () => undefined;
  const keeper = keeperOf(source(), { limits: { ...LIMITS, idleMs: 60_000, totalMs: 60_000 } });
  await keeper.start();
  await until(() => asked.length === 1);
  await keeper.stop();
  expect(lines).toEqual([]);
});

test('another source takes the place of a download that is under way', async () => {
  answer = () => undefined;
  const keeper = keeperOf(source());
  await keeper.start();
  await until(() => asked.length === 1);
  expect(await keeper.change(undefined, ['9.9.9.9'])).toMatchObject({ before: 0, after: 1 });
  expect(banned).toEqual(['9.9.9.9']);
  answer = (_, response) => response.end(LIST);
  expect(
    await keeper.change(source({ url: new URL(`http://127.0.0.1:${port}/new`) })),
  ).toBeUndefined();
  await until(() => banned.length === 2);
  expect(lines).toEqual([`1 -> 2 hosts and subnets from http://127.0.0.1:${port}`]);
});

test('a node that is offline uses the copy and asks nobody', async () => {
  await (await started()).stop();
  await until(() => copy().endsWith(LIST));
  [banned, lines, asked] = [[], [], []];
  const keeper = await started(source(), { offline: true });
  await keeper.stop();
  expect([banned, asked]).toEqual([BANNED, []]);
});

test('lines that come in parts are whole, and a line without an end takes no memory', async () => {
  answer = (_, response) => {
    response.write('203.0.');
    setTimeout(() => {
      response.write(`113.7\r\n2001:db8::/32\n5.5.5.5\n${'x'.repeat(900_000)}`);
      response.end('\n6.6.6.6');
    }, 20);
  };
  await started();
  expect(banned).toEqual([...BANNED, '5.5.5.5', '6.6.6.6']);
});
