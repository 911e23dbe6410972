import { mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NETWORKS } from '@monero-node/consensus';
import { checkLibp2p } from './p2p-settings.ts';
import { UsageError } from './usage-error.ts';
import { parseArguments } from './parse-arguments.ts';
import { makeDaemonSettings } from './daemon-settings.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'p2p-settings-'));
});
afterEach(() => rmSync(dir, { recursive: true }));
const make = (...argv: string[]) =>
  makeDaemonSettings(parseArguments(['--data-dir', dir, ...argv]).values).p2p;

const [ONION = ''] = NETWORKS.mainnet.torSeedNodes.map((seed) => seed.split(':')[0] ?? '');

test('uses IPv4 only, no proxy and no anonymity network by default', () => {
  expect(make()).toMatchObject({
    useIpv6: false,
    bindPortIpv6: 18080,
    ignoreIpv4: false,
    anonymityZones: [],
    dnsBlocklist: false,
    dataDir: dir,
  });
  expect(make().proxy).toBeUndefined();
});

test('reads the IPv6 options', () => {
  expect(
    make('--p2p-use-ipv6', '--p2p-bind-ipv6-address', '::1', '--p2p-bind-port-ipv6', '5'),
  ).toMatchObject({ useIpv6: true, bindIpv6: '::1', bindPortIpv6: 5 });
  expect(make('--testnet', '--p2p-ignore-ipv4').bindPortIpv6).toBe(28080);
});

test('the router is asked only with --port-mapping, where anybody is to come in', () => {
  expect(make().portMapping).toBeUndefined();
  expect(make('--port-mapping', 'off').portMapping).toBeUndefined();
  expect(make('--port-mapping', 'auto').portMapping).toBe('auto');
  expect(() => make('--port-mapping', 'yes')).toThrow(
    "Invalid port-mapping 'yes': off, upnp, nat-pmp, auto expected",
  );
  const warnings = (...argv: string[]) =>
    makeDaemonSettings(parseArguments(['--data-dir', dir, ...argv]).values).warnings;
  expect(warnings('--port-mapping', 'upnp')).toEqual([]);
  expect(warnings('--port-mapping', 'upnp', '--hide-my-port')).toEqual([
    '--port-mapping has no effect with --hide-my-port',
  ]);
});

test('reads proxies and hidden services', () => {
  const p2p = make(
    ...['--proxy', 'socks5://127.0.0.1:9050', '--proxy-allow-dns-leaks'],
    ...['--tx-proxy', 'tor,127.0.0.1:9050,10,disable_noise'],
    ...['--anonymous-inbound', `${ONION}:18083,127.0.0.1:18084,25`],
    ...['--add-peer', `${ONION}:18083`],
  );
  expect(p2p.proxy).toEqual({ host: '127.0.0.1', port: 9050, version: '5' });
  expect(p2p.proxyAllowDnsLeaks).toBe(true);
  expect(p2p.anonymityZones).toMatchObject([
    { zone: 'tor', outPeers: 10, noise: false, inbound: { bindPort: 18084, maxConnections: 25 } },
  ]);
});

test.each([
  ['--proxy', 'nonsense'],
  ['--tx-proxy', 'tor,nonsense'],
  ['--anonymous-inbound', `${ONION},5000`],
  ['--add-exclusive-node', ONION],
  ['--ban-list', '/nonexistent'],
])('refuses %s %s', (name, value) => {
  expect(() => make(name, value)).toThrow(UsageError);
});

test.each([
  'foo:bar',
  'node.example:0',
  'node.example:65536',
  '999.1.1.1:18080',
  '1.2.3.4.5',
  '[::1',
  'http://node.example',
  'two words',
  'wrong.onion:18083',
  '',
])('refuses a peer that cannot exist: %j', (text) => {
  for (const name of ['add-peer', 'add-priority-node', 'add-exclusive-node', 'seed-node']) {
    expect(() => make(`--${name}`, text)).toThrow(UsageError);
    expect(() => make(`--${name}`, text)).toThrow(`--${name}`);
  }
});

test.each([
  ...['1.2.3.4', '1.2.3.4:18080', '::1', '[::1]:18080'],
  ...['localhost', 'node-1.example.org:80', 'monero_node_1', '1st.example.'],
])('takes the peer %s', (text) => {
  expect(make('--add-exclusive-node', text).exclusiveNodes).toEqual([text]);
});

test('leaves libp2p off unless one of its options is given', async () => {
  expect(make().libp2p).toBeUndefined();
  const id = '12D3KooWQYV9dGMFoRzNStwpXztXaBUjtPqi6aU76ZgUriHhKust';
  expect(make('--libp2p-mdns').libp2p).toEqual({ listen: [], peers: [], mdns: true });
  const listen = ['/ip4/0.0.0.0/tcp/18085', '/ip6/::/tcp/18086/ws'];
  const peers = [`/dns4/node.example/tcp/443/tls/ws/p2p/${id}`, `/ip4/1.2.3.4/tcp/1/p2p/${id}`];
  const { libp2p } = make(
    ...listen.flatMap((value) => ['--libp2p-listen', value]),
    ...peers.flatMap((value) => ['--libp2p-peer', value]),
  );
  expect(libp2p).toEqual({ listen, peers, mdns: false });
  await expect(checkLibp2p(libp2p)).resolves.toBeUndefined();
});

test.each([
  ['--libp2p-listen', '0.0.0.0:18085', 'is not a multiaddress'],
  ['--libp2p-listen', '/ip4/0.0.0.0/udp/18085/quic-v1', 'is not'],
  ['--libp2p-listen', '/dns4/node.example/tcp/18085', 'is not'],
  ['--libp2p-peer', '/ip4/1.2.3.4/tcp/18085', 'does not end in /p2p/'],
  ['--libp2p-peer', '/ip4/1.2.3.4/tcp/18085/p2p/nonsense', 'is not a peer id'],
])('refuses %s %s', async (name, value, message) => {
  const checked = checkLibp2p(make(name, value).libp2p);
  await expect(checked).rejects.toThrow(UsageError);
  await expect(checked).rejects.toThrow(message);
});

test('refuses libp2p together with a proxy', () => {
  expect(() => make('--libp2p-mdns', '--proxy', '127.0.0.1:9050')).toThrow(/--proxy/);
});

test('keeps separate peer lists for another port, except on regtest', () => {
  expect(make('--p2p-bind-port', '7').dataDir).toBe(join(dir, '7'));
  expect(make('--regtest', '--p2p-bind-port', '7').dataDir).toBe(join(dir, 'fake'));
});

test('reads the ban list line by line', () => {
  const path = join(dir, 'bans');
  writeFileSync(path, '# all\r\n1.2.3.4\n5.0.0.0/8\n');
  expect(make('--ban-list', path, '--enable-dns-blocklist')).toMatchObject({
    banList: ['# all', '1.2.3.4', '5.0.0.0/8', ''],
    dnsBlocklist: true,
  });
});

test('lines of the ban list that name nothing are one warning, which the log shows at every level', () => {
  const path = join(dir, 'bans');
  const bad = Array.from({ length: 5000 }, (_, i) => `bad ${i}`);
  writeFileSync(path, ['203.0.113.50:18080', '2001:db8::/32', ...bad].join('\n'));
  const { values } = parseArguments(['--data-dir', dir, '--ban-list', path]);
  expect(makeDaemonSettings(values).warnings).toEqual([
    expect.stringMatching(/^--ban-list: 5000 entries are neither a host nor a subnet .*line 3/),
  ]);
  writeFileSync(path, '203.0.113.50:18080\n[2001:db8::2]\n');
  expect(makeDaemonSettings(values).warnings).toEqual([]);
});

test('a ban list that is too large is refused before it is read', () => {
  const path = join(dir, 'bans');
  writeFileSync(path, '');
  truncateSync(path, 2 ** 40);
  expect(() => make('--ban-list', path)).toThrow(/bans: more than 67108864 bytes/);
});
