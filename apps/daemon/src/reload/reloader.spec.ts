import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger, type Logger } from '@monero-node/base';
import { RpcOptionsError } from '@monero-node/rpc';
import { readConfiguration } from '../cli/daemon-settings.ts';
import { OPTIONS } from '../cli/options/options.ts';
import { parseArguments } from '../cli/parse-arguments.ts';
import { Reloader } from './reloader.ts';
import type { LiveParts } from './take-over.ts';

const BEFORE = 'regtest=1\nout-peers=12\nadd-priority-node=10.0.0.1\n';

let dir: string;
let path: string;
let lines: string[];
let taken: string[];
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'reload-'));
  path = join(dir, 'x.conf');
  lines = [];
  taken = [];
});
afterEach(() => rmSync(dir, { recursive: true }));

const logger = (): Logger => {
  const say = (line: string): void => void lines.push(line);
  return { ...silentLogger, error: say, warn: say, info: say };
};

/** Parts of a node that note what they are told. */
const parts: LiveParts = {
  levels: { set: (spec) => void taken.push(`levels ${spec}`) },
  p2p: {
    setOutPeers: (count) => void taken.push(`out ${count}`),
    setInPeers: (count) => void taken.push(`in ${count}`),
    setLimits: (limits) => void taken.push(`limits ${JSON.stringify(limits)}`),
    setMaxConnectionsPerIp: (count) => void taken.push(`per ip ${count}`),
    replacePeers: async ({ addPeers, priorityNodes, exclusiveNodes }) =>
      void taken.push(`peers ${JSON.stringify([addPeers, priorityNodes, exclusiveNodes])}`),
  },
  bans: {
    change: async (source, list = []) => {
      taken.push(`bans ${source?.url.href ?? list.join(' ').trim()}`);
      return source === undefined ? { before: 0, after: 2 } : undefined;
    },
  },
  rpc: {
    prepare: ({ maxConnections = 0, trustedProxies = [], restrictedRpc = false }) => {
      if (maxConnections < 25) throw new RpcOptionsError('too few connections');
      return () =>
        void taken.push(`rpc ${maxConnections} ${trustedProxies.join()} ${restrictedRpc}`);
    },
  },
};

function reloaderOf(before = BEFORE, ...words: string[]): Reloader {
  writeFileSync(path, before);
  const { values } = parseArguments(['--data-dir', dir, '--config-file', path, ...words]);
  return new Reloader(readConfiguration(values), logger());
}

function started(before?: string, ...words: string[]): Reloader {
  const reloader = reloaderOf(before, ...words);
  reloader.started(parts);
  return reloader;
}

test('an unchanged file changes nothing', async () => {
  expect(await started().reload()).toBe('Nothing has changed');
  expect([taken, lines]).toEqual([[], ['reload: nothing has changed']]);
});

test('changes are taken over with a line for each, and those that need a restart are named', async () => {
  const reloader = started();
  writeFileSync(join(dir, 'bans'), '1.2.3.4\n2001:db8::/32\n');
  writeFileSync(
    path,
    `regtest=1\nout-peers=24\nin-peers=7\nlimit-rate-up=100\nmax-connections-per-ip=2\nlog-level=1\nadd-peer=10.0.0.3\nadd-exclusive-node=10.0.0.2\nban-list=${join(dir, 'bans')}\nrpc-max-connections=200\nrpc-trusted-proxy=10.0.0.0/8\nrestricted-rpc=1\np2p-bind-port=5\nno-zmq=1\n`,
  );
  expect(await reloader.reload()).toBe(
    '13 changes are taken over; a restart is needed for p2p-bind-port, no-zmq',
  );
  expect(lines).toEqual([
    'reload: log-level none -> 1',
    'reload: add-peer none -> 10.0.0.3',
    'reload: add-priority-node 10.0.0.1 -> none',
    'reload: add-exclusive-node none -> 10.0.0.2',
    `reload: ban-list none -> ${join(dir, 'bans')}`,
    'reload: out-peers 12 -> 24',
    'reload: in-peers unlimited -> 7',
    'reload: limit-rate-up 8192 -> 100',
    'reload: max-connections-per-ip 1 -> 2',
    'reload: restricted-rpc off -> on',
    'reload: rpc-max-connections 100 -> 200',
    'reload: rpc-trusted-proxy none -> 10.0.0.0/8',
    'reload: a restart is needed for p2p-bind-port, no-zmq',
    'reload: ban-list 0 -> 2 hosts and subnets',
  ]);
  expect(taken).toEqual([
    expect.stringMatching(/^levels .*INFO/),
    'out 24',
    'in 7',
    'per ip 2',
    'limits {"up":100}',
    'rpc 200 10.0.0.0/8 true',
    'peers [["10.0.0.3"],[],["10.0.0.2"]]',
    'bans 1.2.3.4 2001:db8::/32',
  ]);
  expect(reloader.settings.p2p.bindPort).not.toBe(5);
  lines = [];
  expect(await reloader.reload()).toBe(
    '0 changes are taken over; a restart is needed for p2p-bind-port, no-zmq',
  );
});

const broken: [what: string, text: string, why: RegExp][] = [
  ['an unknown option', 'out-pears=3', /line 1: Unrecognized option 'out-pears'.*did you mean/],
  ['a value out of range', 'in-peers=5\nout-peers=many', /line 2: the argument \('many'\)/],
  ['a line without a value', 'in-peers=5\nno-zmq', /line 2: invalid line/],
  ['an option twice', 'in-peers=5\nin-peers=6', /line 2: .*cannot be specified more than once/],
  ['an option of the command line', 'detach=1', /line 1: Option 'detach' is not allowed/],
  ['options that contradict each other', 'in-peers=5\npublic-node=1', /--public-node needs/],
  ['a peer that cannot exist', 'in-peers=5\nadd-peer=a b', /--add-peer: a b is not.*x\.conf/],
  [
    'a list that is not there',
    'in-peers=5\nban-list=/nowhere/x',
    /Failed to read ban list.*ENOENT/,
  ],
  ['categories of the log that do not parse', 'in-peers=5\nlog-level=net', /--log-level: 'net'/],
  ['what the RPC refuses', 'in-peers=5\nrpc-max-connections=3', /too few connections/],
];

test.each(broken)('%s changes nothing and is one line', async (_, text, why) => {
  const reloader = started();
  writeFileSync(path, text);
  await expect(reloader.reload()).rejects.toThrow(why);
  expect(taken).toEqual([]);
  expect(lines).toEqual([expect.stringMatching(why)]);
  expect(lines[0]).toMatch(/^reload: nothing is changed: [^\n]*$/);
  // The old settings are still those that the next file is compared with.
  writeFileSync(path, BEFORE);
  expect(await reloader.reload()).toBe('Nothing has changed');
});

test('a file that has vanished or cannot be read changes nothing', async () => {
  const reloader = started();
  rmSync(path);
  await expect(reloader.reload()).rejects.toThrow(`Can't find config file ${path}`);
  mkdirSync(path);
  await expect(reloader.reload()).rejects.toThrow(`Can't read config file ${path}: EISDIR`);
  expect([taken, lines.length]).toEqual([[], 2]);
});

test('a file in the data directory is missed if it was there, and not if it never was', async () => {
  const { values } = parseArguments(['--data-dir', dir, '--regtest']);
  const inDir = join(dir, 'fake', 'bitmonero.conf');
  const without = new Reloader(readConfiguration(values), logger());
  without.started(parts);
  await expect(without.reload()).rejects.toThrow(`there is no config file ${inDir}`);
  expect(lines).toEqual([]);
  mkdirSync(join(dir, 'fake'));
  writeFileSync(inDir, 'in-peers=3');
  expect(await without.reload()).toBe('1 change is taken over');
  rmSync(inDir);
  await expect(without.reload()).rejects.toThrow(`Can't find config file ${inDir}`);
});

test('the command line wins, as at the start', async () => {
  const reloader = started('regtest=1', '--out-peers', '5', '--add-peer', '10.0.0.9');
  writeFileSync(path, 'regtest=1\nout-peers=9\nadd-peer=10.0.0.8');
  expect(await reloader.reload()).toBe('1 change is taken over');
  expect(taken).toEqual(['peers [["10.0.0.9","10.0.0.8"],[],[]]']);
});

test('a value that another option needs until a restart is refused with all others', async () => {
  const reloader = started('regtest=1\nrestricted-rpc=1\npublic-node=1');
  writeFileSync(path, 'regtest=1\nout-peers=9');
  await expect(reloader.reload()).rejects.toThrow(
    '--public-node needs --restricted-rpc or --rpc-restricted-bind-port (only a restart changes public-node)',
  );
  expect(taken).toEqual([]);
});

test('the ban list is read anew although its path is the same', async () => {
  const list = join(dir, 'bans');
  writeFileSync(list, '1.2.3.4');
  const reloader = started(`regtest=1\nban-list=${list}`);
  writeFileSync(list, '1.2.3.4\nfe80::/10\nnonsense');
  expect(await reloader.reload()).toBe('1 change is taken over');
  expect(lines).toEqual([
    expect.stringMatching(/^reload: --ban-list: 1 entry is neither a host nor a subnet/),
    'reload: ban-list 0 -> 2 hosts and subnets',
  ]);
  expect(await reloader.reload()).toBe('Nothing has changed');
});

test('a ban list that is downloaded is another source', async () => {
  const reloader = started();
  const url = 'https://lists.example/bans?token=5';
  writeFileSync(path, `${BEFORE}ban-list=${url}\nban-list-interval=60`);
  await reloader.reload();
  writeFileSync(path, `${BEFORE}ban-list=${url}\nban-list-interval=90`);
  await reloader.reload();
  expect(taken).toEqual([`bans ${url}`, `bans ${url}`]);
  expect(lines).toEqual([
    'reload: ban-list none -> https://lists.example/bans?\u2026',
    'reload: ban-list-interval 720 -> 60',
    'reload: ban-list-interval 60 -> 90',
  ]);
});

test('a reload during the start waits for its end; several are one', async () => {
  const reloader = reloaderOf();
  const both = [reloader.reload(), reloader.reload()];
  reloader.onSignal();
  writeFileSync(path, 'regtest=1\nadd-priority-node=10.0.0.1\nin-peers=3');
  await new Promise(setImmediate);
  expect(taken).toEqual([]);
  reloader.started(parts);
  expect(await Promise.all(both)).toEqual(['1 change is taken over', '1 change is taken over']);
  expect(taken).toEqual(['in 3']);
});

test('reloads at once are done one after another, and the last one sees the last file', async () => {
  const reloader = started();
  writeFileSync(path, `${BEFORE}in-peers=3`);
  const first = reloader.reload();
  await Promise.resolve();
  await new Promise(setImmediate);
  writeFileSync(path, `${BEFORE}in-peers=4`);
  const rest = [reloader.reload(), reloader.reload()];
  await Promise.all([first, ...rest]);
  expect(taken).toEqual(['in 3', 'in 4']);
});

test('during a stop nothing is taken over', async () => {
  const waiting = reloaderOf();
  const asked = waiting.reload();
  waiting.stop();
  await expect(asked).rejects.toThrow('the node is stopping');
  const running = started();
  running.stop();
  writeFileSync(path, 'in-peers=3');
  running.onSignal();
  await expect(running.reload()).rejects.toThrow('the node is stopping');
  expect(taken).toEqual([]);
});

test('docs/operating/reload.md lists the options that are taken over', () => {
  const page = readFileSync(
    new URL('../../../../docs/operating/reload.md', import.meta.url),
    'utf8',
  );
  const documented = [...page.matchAll(/^\| `([\w-]+)` /gm)].map(([, name]) => name);
  const live = OPTIONS.filter(({ reload }) => reload === true).map(({ name }) => name);
  expect(documented.sort()).toEqual(live.sort());
});
