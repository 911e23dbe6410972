import { chmodSync, mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { complaints, examineWith, GOOD_NODE, nodeWith, NOW } from '../testing/patient.ts';
import { listeningErrors } from './probes/listening.ts';
import { connectionError, greetSocks } from './probes/connecting.ts';

const YEAR = 365 * 24 * 3600;
const ADDRESS =
  '44AFFq5kSiGBoZ4NMDwYtN18obc8AemS33DBLWs3H7otXft3XjrpDtQGv7SqSsaBYBb98uNbr2VBBEt7f2wfn3RVGQBEP3A';

/** What is wrong with a set-up that is healthy otherwise, besides its data directory. */
type Plant = Parameters<typeof examineWith>[1] & {
  readonly options?: readonly string[];
  /** Changes the data directory, which is there. */
  readonly damage?: (dataDir: string) => void;
};

let dir: string;
/** A server of HTTP on loopback: another program, for the doctor. */
let other: Server;
let otherPort: string;
/** A port at which nothing listens. */
let deadPort: string;
beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'planted-'));
  const dead = await portOf(createServer());
  deadPort = String(dead.port);
  await new Promise((resolve) => dead.server.close(resolve));
  const { server, port } = await portOf(
    createServer((_, response) => void response.end('another program')),
  );
  other = server;
  otherPort = String(port);
});
afterAll(() => {
  other.close();
  rmSync(dir, { recursive: true });
});

async function portOf(server: Server): Promise<{ server: Server; port: number }> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return { server, port: (server.address() as AddressInfo).port };
}

/** Returns the only complaint about a set-up, as one text. */
async function complaintAbout({ damage, options = [], ...plant }: Plant): Promise<string> {
  const dataDir = mkdtempSync(join(dir, 'data-'));
  chmodSync(dataDir, 0o700);
  damage?.(dataDir);
  const found = complaints(await examineWith(['--data-dir', dataDir, ...options], plant));
  expect(found).toHaveLength(1);
  const [{ id, verdict, seen, advice = '' } = { id: '', verdict: '', seen: '' }] = found;
  expect(advice).not.toBe('');
  return `${id} ${verdict}: ${seen}`;
}

function writeChain(dataDir: string): string {
  mkdirSync(join(dataDir, 'chain'));
  const file = join(dataDir, 'chain', 'data.mdb');
  writeFileSync(file, 'x');
  return file;
}

const runs = (
  changes: Parameters<typeof nodeWith>[0],
  own?: Parameters<typeof nodeWith>[1],
): Plant => ({
  node: nodeWith(changes, own),
});

describe('of a node that runs', () => {
  test.each<[string, Plant, RegExp]>([
    [
      'another network',
      runs({ nettype: 'stagenet' }),
      /^node failure: the RPC answers for stagenet, the options are for mainnet$/,
    ],
    [
      'no peers',
      runs({}, { incoming: 0, outgoing: 0, startTime: NOW - 600 }),
      /^peers failure: no peers, 10 min 0 s after the start/,
    ],
    [
      'nobody ever comes in',
      runs({}, { incoming: 0, lastIncoming: undefined }),
      /^incoming warning: nobody is connected from outside, 24 h 0 min after the start, and no earlier one is on record$/,
    ],
    [
      'nobody comes in any more',
      runs({}, { incoming: 0, lastIncoming: NOW - 50 * 3600 }),
      /^incoming warning: nobody is connected from outside, 24 h 0 min after the start; the last was there 50 h 0 min ago$/,
    ],
    [
      'a slow clock',
      runs({ topTime: NOW + 1200 }),
      /^clock failure: This computer's clock is about 20 min 0 s slow/,
    ],
    [
      'a fast clock',
      runs({ topTime: NOW - 7300 }),
      /^clock warning: the newest block is 2 h 1 min old although/,
    ],
    ['a full disk', runs({}, { freeBytes: 500e6 }), /^disk failure: only 476\.84 MB are free/],
    [
      'a disk that will be full',
      runs({}, { freeBytes: 5e9 }),
      /^disk warning: .*27 GB a year, so the disk is full in about 67 days$/,
    ],
    [
      'a disk too small for the chain',
      runs(
        { databaseBytes: 1e9, isSynchronized: false, topTime: NOW - YEAR, height: 3_774_464 },
        { freeBytes: 100e9 },
      ),
      /^disk failure: The disk of .* is too small: 100 GB are free/,
    ],
    [
      'a low limit of files',
      { ...runs({}), pid: '4711', system: { fileLimit: (pid) => (pid === '4711' ? 600 : 65_536) } },
      /^file-limit warning: process 4711: this process may open only 600 files/,
    ],
    [
      'no memory',
      { ...runs({}), system: { memory: () => ({ total: 2e9, available: 50e6 }) } },
      /^memory warning: 47\.68 MB of 1\.86 GB/,
    ],
    [
      'a newer version',
      runs({ updateAvailable: true }),
      /^update warning: the node has found a newer version/,
    ],
    [
      'a port that does not listen',
      {
        ...runs({}),
        system: {
          connectionError: (at) =>
            at.port === 18_082
              ? connectionError({ ...at, port: Number(deadPort) })
              : Promise.resolve(undefined),
        },
      },
      /^ports warning: nothing answers at 127\.0\.0\.1:18082 \(--zmq-rpc-bind-port: ECONNREFUSED\)$/,
    ],
  ])('%s', async (_, plant, text) => {
    expect(await complaintAbout(plant)).toMatch(text);
  });
});

describe('of a node that does not answer', () => {
  test.each<[string, Plant, RegExp]>([
    [
      'a login',
      { silence: { kind: 'refused', why: 'the daemon requires a login' } },
      /^node warning: the daemon requires a login$/,
    ],
    [
      'a process with the chain',
      { pid: '4711' },
      /^node failure: process 4711 has the chain open, but nothing answers/,
    ],
    ['another program', { silence: { kind: 'odd', why: 'no node' } }, /^node failure: no node$/],
    [
      'a low limit of files',
      { system: { fileLimit: () => 300 } },
      /^file-limit failure: 300 files for this shell, and a node needs 512$/,
    ],
    [
      'little memory',
      { system: { memory: () => ({ total: 4e9, available: 300e6 }) } },
      /^memory warning: /,
    ],
    [
      'no memory for a miner',
      {
        options: ['--start-mining', ADDRESS],
        system: {
          memory: () => ({ total: 4e9, available: 2e9 }),
          textOf: () => Promise.resolve('1200\n'),
        },
      },
      /^memory warning: /,
    ],
    [
      'no huge pages for a miner',
      {
        options: ['--start-mining', ADDRESS],
        system: {
          textOf: (path) =>
            Promise.resolve(path.endsWith('enabled') ? 'always madvise [never]\n' : '0\n'),
        },
      },
      /^huge-pages warning: 0 pages of 2 MiB are reserved, and the miner needs 1040/,
    ],
    [
      'no DNS',
      {
        system: {
          lookUp: () => Promise.reject(Object.assign(new Error('x'), { code: 'ENOTFOUND' })),
        },
      },
      /^dns warning: none of 4 names of seeds is found \(ENOTFOUND\)$/,
    ],
    [
      'a DNS server that checks no signatures',
      {
        options: ['--enforce-dns-checkpointing'],
        system: { areSigned: () => Promise.resolve(false) },
      },
      /^dns warning: .*does not confirm the signatures/,
    ],
    ['no IPv6', { options: ['--p2p-use-ipv6'] }, /^ipv6 warning: --p2p-use-ipv6 is given/],
    [
      'an old list',
      { system: { now: () => NOW + 3 * YEAR } },
      /^trusted-list warning: the list ends at height 3774464, about 3\.3 years ago: \d+ blocks/,
    ],
    [
      'a newer version',
      {
        options: ['--check-updates', 'notify'],
        system: { newerVersion: () => Promise.resolve('0.3.0') },
      },
      /^update warning: version 0\.3\.0 is available$/,
    ],
    [
      'a clock behind the chain',
      { damage: (dataDir) => utimesSync(writeChain(dataDir), NOW, NOW + 7200) },
      /^clock failure: the chain was last written 2 h 0 min in the future/,
    ],
    [
      'a disk that is too small',
      { system: { freeBytes: () => Promise.resolve(68e9) } },
      /^disk failure: The disk of .* is too small: 68 GB are free, .* 110 GB with --prune-blockchain/,
    ],
    [
      'a data directory that anybody changes',
      { damage: (dataDir) => chmodSync(dataDir, 0o777) },
      /^data-dir warning: every user of this machine can change .* \(mode 777\)$/,
    ],
    [
      'a data directory of another user',
      {
        system: {
          requireAccess: (path) =>
            Promise.reject(Object.assign(new Error('x'), { code: 'EACCES', path })),
        },
      },
      /^data-dir failure: this user may not read and write /,
    ],
    [
      'a data directory that is a file',
      {
        damage: (dataDir) => {
          rmSync(dataDir, { recursive: true });
          writeFileSync(dataDir, '');
        },
      },
      /^data-dir failure: .* is no folder$/,
    ],
    [
      'a key that anybody reads',
      {
        damage: (dataDir) => {
          const key = join(dataDir, 'rpc_ssl.key');
          writeFileSync(key, '');
          chmodSync(key, 0o644);
        },
      },
      /^key-files warning: .*rpc_ssl\.key: other users can read or change it \(mode 644\); run chmod 600 on it$/,
    ],
    [
      'a key that is missing',
      {
        options: ['--rpc-ssl-private-key', '/nowhere/key', '--rpc-ssl-certificate', '/nowhere/crt'],
      },
      /^key-files failure: \/nowhere\/key is missing$/,
    ],
  ])('%s', async (_, plant, text) => {
    expect(await complaintAbout(plant)).toMatch(text);
  });
});

describe('of the options', () => {
  const open = ['--confirm-external-bind', '--rpc-bind-ip'];
  test.each<[string, readonly string[], RegExp]>([
    [
      'no login',
      [...open, '0.0.0.0'],
      /^rpc-access failure: whoever reaches 0\.0\.0\.0:18081 \(public\) controls this node/,
    ],
    [
      'no login in the local network',
      [...open, '192.168.1.2'],
      /^rpc-access failure: .*192\.168\.1\.2:18081 \(local network\)/,
    ],
    [
      'a login in the clear',
      [...open, '0.0.0.0', '--rpc-login', 'u:p', '--rpc-ssl', 'disabled'],
      /^rpc-access warning: .*wants a login, but everything can be read/,
    ],
    [
      'ZeroMQ',
      ['--zmq-rpc-bind-ip', '0.0.0.0', '--confirm-zmq-rpc-external-bind'],
      /^rpc-access failure: whoever reaches 0\.0\.0\.0:18082 \(public\) controls this node over ZeroMQ/,
    ],
    [
      'metrics',
      ['--metrics-bind-ip', '0.0.0.0', '--metrics-bind-port', '18090'],
      /^rpc-access warning: the metrics at 0\.0\.0\.0:18090 \(public\) have no login$/,
    ],
    [
      'options without effect',
      ['--no-zmq', '--zmq-rpc-bind-port', '1'],
      /^options warning: --zmq-rpc-bind-port has no effect because --no-zmq/,
    ],
    [
      'limits that exclude each other',
      ['--rpc-max-connections', '2'],
      /^options failure: --rpc-max-connections must not be below the limits/,
    ],
    [
      'a key without a certificate',
      ['--rpc-ssl-certificate', '/nowhere/crt'],
      /^options failure: --rpc-ssl-private-key and --rpc-ssl-certificate must be given together/,
    ],
    [
      'a public node whose strangers need a login',
      [
        ...[
          '--public-node',
          '--confirm-external-bind',
          '--rpc-ssl',
          'enabled',
          '--rpc-login',
          'a:b',
        ],
        ...['--rpc-restricted-bind-ip', '0.0.0.0', '--rpc-restricted-bind-port', '18089'],
      ],
      /^options warning: --public-node announces a port that wants the RPC login/,
    ],
    ['a level of the log', ['--log-level', '9'], /^options failure: --log-level: log level 9/],
  ])('%s', async (_, options, text) => {
    expect(await complaintAbout({ options, node: GOOD_NODE })).toMatch(text);
  });
});

describe('of the network, with sockets', () => {
  const ports = ['--p2p-bind-port', '0', '--no-zmq', '--rpc-bind-port'];

  test('a port that another program has', async () => {
    const plant = { options: [...ports, otherPort], system: { listeningErrors } };
    expect(await complaintAbout(plant)).toBe(
      `ports failure: another program uses 127.0.0.1:${otherPort}: stop it, or choose another port with --rpc-bind-port`,
    );
  });

  test('a port that two options name', async () => {
    const options = [...ports, deadPort, '--rpc-restricted-bind-port', deadPort];
    expect(await complaintAbout({ options, system: { listeningErrors } })).toBe(
      `ports failure: 127.0.0.1:${deadPort} is asked for by --rpc-bind-port and --rpc-restricted-bind-port: choose different ports`,
    );
  });

  test('a proxy of Tor that does not run', async () => {
    const options = ['--tx-proxy', `tor,127.0.0.1:${deadPort}`];
    expect(await complaintAbout({ options, system: { greetSocks } })).toBe(
      `proxies failure: nothing answers at 127.0.0.1:${deadPort} (--tx-proxy tor): ECONNREFUSED`,
    );
  });

  test('a proxy of I2P that is another program', async () => {
    const options = ['--tx-proxy', `i2p,127.0.0.1:${otherPort}`];
    expect(await complaintAbout({ options, system: { greetSocks } })).toBe(
      `proxies failure: 127.0.0.1:${otherPort} (--tx-proxy i2p) is no SOCKS proxy`,
    );
  });
});
