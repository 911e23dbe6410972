import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import type { ClientRequest } from 'node:http';
import { request } from 'node:https';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, test } from '@jest/globals';
import { OUR_DAEMON } from '../harness/binaries.ts';
import { markdownBlocks, type MarkdownBlock } from '../harness/markdown-blocks.ts';
import type { RunningNode } from '../harness/monerod.ts';
import { startOurDaemon } from '../harness/our-daemon.ts';
import { freePorts, LOOPBACK } from '../harness/ports.ts';
import { ManagedProcess } from '../harness/processes.ts';
import { newFolder } from '../harness/run-folder.ts';
import { describeUnless, describeWith } from '../harness/skip-without.ts';
import { waitUntil } from '../harness/wait.ts';

const PAGE = fileURLToPath(new URL('../../../../docs/operating/manual.md', import.meta.url));
const blocks = markdownBlocks(readFileSync(PAGE, 'utf8'));

/** Returns the blocks of a language below a heading. Throws Error when the page has none. */
function below(heading: string, language: string): MarkdownBlock[] {
  const found = blocks.filter((each) => each.heading === heading && each.language === language);
  if (found.length === 0) throw new Error(`no ${language} below "${heading}"`);
  return found;
}

/** Returns the options of a block that starts the node, with other values for some words. */
function optionsOf({ text }: MarkdownBlock, changes: Readonly<Record<string, string>>): string[] {
  const [npm, start, dashes, ...options] = text.trim().split(/\s+/);
  expect([npm, start, dashes]).toEqual(['npm', 'start', '--']);
  return options.map((option) =>
    Object.entries(changes).reduce((word, [from, to]) => word.replace(from, to), option),
  );
}

let node: RunningNode | undefined;
let others: ManagedProcess[] = [];
afterEach(async () => {
  await Promise.all([node?.stop(), ...others.map((each) => each.stop())]);
  node = undefined;
  others = [];
});

async function startOther(name: string, program: string, args: string[]): Promise<ManagedProcess> {
  const cwd = newFolder(name);
  const started = await ManagedProcess.start({ name, program, args, cwd });
  others.push(started);
  return started;
}

const isOpen = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const socket = connect(port, LOOPBACK);
    socket.once('connect', () => resolve(true));
    socket.once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });

/** Expects that a restricted port answers wallets and nothing of the owner's. */
async function expectRestricted(url: string): Promise<void> {
  const info = await (await fetch(`${url}/get_info`)).json();
  expect(info).toMatchObject({ status: 'OK', restricted: true });
  expect((await fetch(`${url}/stop_daemon`)).status).toBe(404);
}

/** The address of a client of a web server. Linux has all addresses of 127.0.0.0/8. */
const CLIENT = '127.0.0.77';

/** Resolves when the log names the client of a call, and not the web server. */
async function expectCaller(): Promise<void> {
  const lines = (): string[] => (node?.process.output() ?? '').match(/^.*get_height.*$/gm) ?? [];
  await waitUntil('the call in the log', () => lines().some((line) => line.includes(CLIENT)));
  expect(lines().filter((line) => line.includes(`${LOOPBACK} `))).toEqual([]);
}

function jsonAnswer(call: ClientRequest): Promise<unknown> {
  return new Promise((resolve, reject) => {
    call.on('error', reject);
    call.once('response', (response) => {
      let body = '';
      response.on('data', (bytes: Buffer) => (body += bytes.toString()));
      response.on('end', () => resolve(JSON.parse(body)));
    });
    call.end();
  });
}

/** Makes a certificate of `node.example` and its key. */
function selfSigned(key: string, certificate: string): void {
  const subject = ['-subj', '/CN=node.example', '-days', '1', '-keyout', key, '-out', certificate];
  const args = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', ...subject];
  execFileSync('openssl', args, { stdio: 'ignore' });
}

test('every block of the page is run by a test', () => {
  const below = [
    'A public node',
    'Behind a web server',
    'From another machine',
    'Bans',
    'Firewall',
  ];
  // A line of the log, which suite 40 compares with what a node logs.
  const elsewhere = ['Newer versions'];
  for (const { heading } of blocks)
    expect([...below, 'Tor and I2P', ...elsewhere]).toContain(heading);
});

describe('a public node', () => {
  test.each(['A public node', 'Behind a web server'])(
    'starts as written below "%s"',
    async (heading) => {
      const [block] = below(heading, 'sh');
      const [port = 0] = await freePorts(1);
      const extra = optionsOf(block as MarkdownBlock, { '18089': String(port) });
      node = await startOurDaemon({ offline: true, extra });
      await expectRestricted(`http://${LOOPBACK}:${port}`);
    },
  );
});

describeWith(['nginx', 'openssl'], 'nginx in front of the restricted port', () => {
  test('passes calls over TLS with the block of the page', async () => {
    const [port = 0, tlsPort = 0] = await freePorts(2);
    const [start] = below('Behind a web server', 'sh');
    const extra = optionsOf(start as MarkdownBlock, { '18089': String(port) });
    node = await startOurDaemon({ offline: true, extra: [...extra, '--log-level', '1'] });
    const folder = newFolder('nginx');
    const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
    selfSigned(key, certificate);
    const [block] = below('Behind a web server', 'nginx');
    const server = (block as MarkdownBlock).text
      .replace('listen 443', `listen ${LOOPBACK}:${tlsPort}`)
      .replace('/etc/ssl/node.example.pem', certificate)
      .replace('/etc/ssl/private/node.example.key', key)
      .replace('18089', String(port));
    const config = join(folder, 'nginx.conf');
    const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
    const paths = temporary.map((kind) => `${kind}_temp_path ${folder}/${kind};`).join(' ');
    writeFileSync(
      config,
      `daemon off; pid ${folder}/pid; error_log stderr; events {} http { access_log off; ${paths}\n${server}\n}`,
    );
    const nginx = await startOther('nginx', 'nginx', ['-c', config]);
    await waitUntil('nginx', () => isOpen(tlsPort));
    expect(nginx.output()).not.toMatch(/\[(warn|emerg|error)\]/);
    const at = { host: LOOPBACK, port: tlsPort, localAddress: CLIENT, servername: 'node.example' };
    // An address that a client makes up is passed on before its real one.
    const headers = { host: 'node.example', 'x-forwarded-for': '198.51.100.1' };
    const ca = readFileSync(certificate);
    const call = request({ ...at, path: '/get_height', headers, ca });
    expect(await jsonAnswer(call)).toMatchObject({ status: 'OK', height: 1 });
    await expectCaller();
  });
});

describeWith(['haproxy', 'openssl'], 'HAProxy in front of the restricted port', () => {
  test.each([0, 2])('passes calls with the block of the page to %d workers', async (workers) => {
    const [port = 0, tlsPort = 0] = await freePorts(2);
    const [start] = below('Behind a web server', 'sh');
    const extra = optionsOf(start as MarkdownBlock, { '18089': String(port) });
    extra.push('--log-level', '1', '--rpc-workers', String(workers));
    node = await startOurDaemon({ offline: true, extra });
    const folder = newFolder('haproxy');
    const file = join(folder, 'both.pem');
    const [key, certificate] = [join(folder, 'key.pem'), join(folder, 'certificate.pem')];
    selfSigned(key, certificate);
    writeFileSync(file, readFileSync(certificate, 'utf8') + readFileSync(key, 'utf8'));
    const [block] = below('Behind a web server', 'haproxy');
    const proxy = (block as MarkdownBlock).text
      .replace('bind :443', `bind ${LOOPBACK}:${tlsPort}`)
      .replace('/etc/ssl/node.example.pem', file)
      .replace('18089', String(port));
    const config = join(folder, 'haproxy.cfg');
    const timeouts = 'defaults\n  timeout connect 5s\n  timeout client 60s\n  timeout server 60s\n';
    writeFileSync(config, `${timeouts}${proxy}\n`);
    await startOther('haproxy', 'haproxy', ['-f', config, '-db']);
    await waitUntil('HAProxy', () => isOpen(tlsPort));
    const at = { host: LOOPBACK, port: tlsPort, localAddress: CLIENT, servername: 'node.example' };
    const ca = readFileSync(certificate);
    const call = request({ ...at, path: '/get_height', headers: { host: 'node.example' }, ca });
    expect(await jsonAnswer(call)).toMatchObject({ status: 'OK', height: 1 });
    await expectCaller();
  });
});

const hasSsh = spawnSync('ssh', ['-V']).error === undefined;
describeUnless(hasSsh ? undefined : 'not installed: ssh', 'an SSH tunnel', () => {
  test('is understood by ssh', () => {
    const [block] = below('From another machine', 'sh');
    const [program, ...args] = (block as MarkdownBlock).text.trim().split(/\s+/);
    const settings = execFileSync(program as string, ['-G', ...args], { encoding: 'utf8' });
    expect(settings).toContain('hostname node.example\n');
    expect(settings).toMatch(/^localforward \[?18081\]? \[127\.0\.0\.1\]:18081$/m);
  });
});

describe('bans', () => {
  const list = (): string => `${below('Bans', '')[0]?.text ?? ''}\n`;
  const DAY = 24 * 3600;

  async function startWith(extra: string[]): Promise<RunningNode> {
    node = await startOurDaemon({ offline: true, extra });
    return node;
  }

  test('last as long as the node with the list of the page at the start', async () => {
    const file = join(newFolder('bans'), 'ban-list.txt');
    writeFileSync(file, list());
    const { rpc, process } = await startWith(['--ban-list', file]);
    for (const address of ['203.0.113.7', '198.51.100.200', '2001:db8::1']) {
      const answer = await rpc.call('banned', { address });
      expect(answer).toMatchObject({ status: 'OK', banned: true });
      expect(answer['seconds']).toBeGreaterThan(365 * DAY);
    }
    expect(await rpc.call('banned', { address: '203.0.113.8' })).toMatchObject({ banned: false });
    // The comment names nothing and is no fault.
    expect(process.output()).not.toMatch(/ban-list\.txt|invalid/i);
  });

  test('are made, shown and lifted by the commands of the page', async () => {
    const { rpc, dataDir } = await startWith([]);
    const file = join(dataDir, 'ban-list.txt');
    writeFileSync(file, list());
    const command = (...words: string[]): string =>
      execFileSync(
        process.execPath,
        [OUR_DAEMON, '--regtest', '--rpc-bind-port', String(rpc.port), ...words],
        { encoding: 'utf8', env: { ...process.env, NODE_OPTIONS: '' } },
      );
    const seconds = async (address: string): Promise<unknown> =>
      (await rpc.call('banned', { address }))['seconds'];
    command('ban', '203.0.113.0/24', '3600');
    expect(await seconds('203.0.113.7')).toBeGreaterThan(3600 - 60);
    expect(await seconds('203.0.113.7')).toBeLessThanOrEqual(3600);
    command('ban', `@${file}`);
    for (const address of ['203.0.113.7', '198.51.100.200', '2001:db8::1']) {
      expect(await seconds(address)).toBeGreaterThan(DAY - 60);
      expect(await seconds(address)).toBeLessThanOrEqual(DAY);
    }
    expect(command('bans')).toContain('198.51.100.0/24');
    expect(command('banned', '198.51.100.200')).toMatch(/banned/);
    command('unban', '198.51.100.0/24');
    expect(await seconds('198.51.100.200')).toBe(0);
    command('unban', 'all');
    expect(await rpc.call('get_bans')).not.toHaveProperty('bans');
  });
});

const ownNetwork = spawnSync('unshare', ['--net', 'nft', '--version']);
const networkLack =
  ownNetwork.status === 0 ? undefined : 'needs nftables and the right to make a network';
describeUnless(networkLack, 'the firewall', () => {
  test('is loaded by nft and closes the owner’s ports, but not that of peers', () => {
    const [block] = below('Firewall', 'nft');
    const rules = join(newFolder('firewall'), 'rules.nft');
    writeFileSync(rules, `${(block as MarkdownBlock).text}\n`);
    const listen = `for (const port of process.argv.slice(1))
      require('net').createServer().listen(Number(port), '0.0.0.0');`;
    // A second network plays the world outside.
    const script = `
      ports='18080 18081 18082 18090'
      ip link set lo up
      unshare --net sleep 120 & outside=$!
      until [ "$(readlink /proc/$outside/ns/net)" != "$(readlink /proc/self/ns/net)" ]; do sleep 0.1; done
      ip link add inner type veth peer name outer netns $outside
      ip address add 10.9.9.1/24 dev inner && ip link set inner up
      nsenter --net=/proc/$outside/ns/net sh -c 'ip address add 10.9.9.2/24 dev outer && ip link set outer up'
      nft --file "$1"
      "$2" -e "$3" $ports & server=$!
      try() { timeout 5 bash -c "exec 3<>/dev/tcp/$1/$2" 2>/dev/null; }
      i=0
      until try 127.0.0.1 18090 || [ $i = 100 ]; do i=$((i + 1)); sleep 0.2; done
      for port in $ports; do
        if nsenter --net=/proc/$outside/ns/net timeout 3 bash -c "exec 3<>/dev/tcp/10.9.9.1/$port" 2>/dev/null
        then echo "$port open"; else echo "$port shut"; fi
        try 127.0.0.1 $port && echo "$port open on loopback"
      done
      kill $server $outside`;
    const { stdout } = spawnSync(
      'unshare',
      ['--net', 'sh', '-c', script, 'firewall', rules, process.execPath, listen],
      { encoding: 'utf8', env: { ...process.env, NODE_OPTIONS: '' } },
    );
    const loopback = [18080, 18081, 18082, 18090].map((port) => `${port} open on loopback`);
    const outside = ['18080 open', '18081 shut', '18082 shut', '18090 shut'];
    expect(stdout.trim().split('\n')).toEqual(
      loopback.flatMap((line, i) => [outside[i] ?? '', line]),
    );
  });
});

/** Starts the node with a hidden service's address, and expects it to listen for what comes from there. */
async function expectInbound(block: MarkdownBlock, address: string, inner: string): Promise<void> {
  const [port = 0, socks = 0] = await freePorts(2);
  const extra = optionsOf(block, {
    'ADDRESS.onion': address,
    'ADDRESS.b32.i2p': address,
    [`${LOOPBACK}:${inner}`]: `${LOOPBACK}:${port}`,
    '127.0.0.1:9050': `${LOOPBACK}:${socks}`,
    '127.0.0.1:4447': `${LOOPBACK}:${socks}`,
  });
  node = await startOurDaemon({ extra });
  await waitUntil('the inbound port', () => isOpen(port));
}

describeWith(['tor'], 'a hidden service of Tor', () => {
  test('is made by Tor from the block of the page, and the node takes its address', async () => {
    const [block] = below('Tor and I2P', 'torrc');
    const folder = newFolder('tor');
    const service = join(folder, 'service');
    const torrc = join(folder, 'torrc');
    const text = (block as MarkdownBlock).text.replace('/var/lib/tor/monero-node', service);
    // Without a network, Tor makes keys and waits.
    const quiet = `DataDirectory ${folder}/data\nSocksPort 0\nDisableNetwork 1\n`;
    writeFileSync(torrc, `${text}\n${quiet}`);
    expect(execFileSync('tor', ['--verify-config', '-f', torrc], { encoding: 'utf8' })).toContain(
      'Configuration was valid',
    );
    await startOther('tor', 'tor', ['-f', torrc]);
    const hostname = join(service, 'hostname');
    await waitUntil('the address', () => existsSync(hostname));
    const address = readFileSync(hostname, 'utf8').trim();
    expect(address).toMatch(/^[a-z2-7]{56}\.onion$/);
    const [start] = below('Tor and I2P', 'sh');
    await expectInbound(start as MarkdownBlock, address, '18083');
  });
});

const i2pLack =
  spawnSync('unshare', ['--net', 'i2pd', '--version']).status === 0
    ? undefined
    : 'needs i2pd and the right to make a network';
describeUnless(i2pLack, 'a server tunnel of I2P', () => {
  test('is made by i2pd from the block of the page, and the node takes its address', async () => {
    const [block] = below('Tor and I2P', 'i2pd');
    const folder = newFolder('i2pd');
    const tunnels = join(folder, 'tunnels.conf');
    const data = join(folder, 'data');
    mkdirSync(data);
    writeFileSync(tunnels, `${(block as MarkdownBlock).text}\n`);
    const off = ['http', 'httpproxy', 'socksproxy', 'sam', 'i2cp', 'i2pcontrol', 'bob'];
    // In a network of its own it reaches nobody.
    const i2pd = await startOther('i2pd', 'unshare', [
      ...['--net', 'i2pd', `--datadir=${data}`, `--tunconf=${tunnels}`],
      ...[`--tunnelsdir=${folder}/none`, '--log=stdout', '--loglevel=info', '--reseed.threshold=0'],
      ...off.map((part) => `--${part}.enabled=false`),
    ]);
    const address = await waitUntil(
      'the address',
      () => /monero-node\.dat for ([a-z2-7]{52}\.b32\.i2p) created/.exec(i2pd.output())?.[1],
    );
    const start = below('Tor and I2P', 'sh')[1];
    await expectInbound(start as MarkdownBlock, address, '18084');
  });
});
