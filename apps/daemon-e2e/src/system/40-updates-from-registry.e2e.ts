import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { SocksServer } from '@monero-node/p2p/testing';
import { OUR_DAEMON } from '../harness/binaries.ts';
import { ending } from '../harness/chain-tool.ts';
import type { JsonObject } from '../harness/json.ts';
import type { RunningNode } from '../harness/monerod.ts';
import { makeCertificate, NpmRegistry } from '../harness/npm-registry.ts';
import { startOurDaemon } from '../harness/our-daemon.ts';
import { freePorts, LOOPBACK } from '../harness/ports.ts';
import { newFolder } from '../harness/run-folder.ts';
import { describeWith } from '../harness/skip-without.ts';
import { waitUntil } from '../harness/wait.ts';

/** Only the proxy knows where that is. */
const NAME = 'registry.example';
const NEWER = '1000.2.3';

let own: string;
let node: RunningNode | undefined;
let registry: NpmRegistry;
const closing: { close(): Promise<void> }[] = [];

beforeAll(() => {
  const printed = execFileSync(process.execPath, [OUR_DAEMON, '--version'], {
    encoding: 'utf8',
    env: { ...process.env, NODE_OPTIONS: '' },
  });
  own = /\(v(.+)\)/.exec(printed)?.[1] ?? '';
});
afterEach(async () => {
  await node?.stop();
  node = undefined;
  for (const server of closing.splice(0)) await server.close();
});

async function openRegistry(version = NEWER): Promise<NpmRegistry> {
  registry = await NpmRegistry.open(version);
  closing.push(registry);
  return registry;
}

async function start(mode: string | undefined, extra: string[] = [], dataDir?: string) {
  node = await startOurDaemon({
    dataDir,
    extra: [
      ...(mode === undefined ? [] : ['--check-updates', mode]),
      ...['--update-registry', registry.url, ...extra],
    ],
  });
  return node;
}

const update = (command: string, more: JsonObject = {}): Promise<JsonObject> => {
  if (node === undefined) throw new Error('no node');
  return node.rpc.path('/update', { command, ...more });
};
/** Regtest has a folder of its own in the data directory. */
const folderOf = ({ dataDir }: RunningNode): string => join(dataDir, 'fake', 'updates');
const archives = (running: RunningNode): string[] =>
  existsSync(folderOf(running)) ? readdirSync(folderOf(running)) : [];

const found = (): JsonObject => ({
  update: true,
  version: NEWER,
  hash: registry.hash,
  user_uri: registry.archiveUrl,
  auto_uri: registry.archiveUrl,
});

describe('a newer version', () => {
  test('is announced in the log, by get_info and on the console, and not downloaded', async () => {
    await openRegistry();
    const [restricted = 0] = await freePorts(1);
    const running = await start('notify', ['--rpc-restricted-bind-port', String(restricted)]);
    const line = `Version ${NEWER} of monero-node is available: ${registry.archiveUrl}, SHA-512 hash ${registry.hash}`;
    await waitUntil('the line', () => running.process.output().includes(line));
    expect((await running.info())['update_available']).toBe(true);
    expect(await update('check')).toMatchObject({ ...found(), path: '', status: 'OK' });
    const told = await ending(
      {
        name: 'update-command',
        program: process.execPath,
        args: [OUR_DAEMON, '--rpc-bind-port', String(running.rpc.port), 'update', 'check'],
        cwd: running.dataDir,
        env: { NODE_OPTIONS: '' },
      },
      30_000,
    );
    expect(told).toMatchObject({ code: 0 });
    expect(told.output).toContain(`Update available: v${NEWER}: ${registry.archiveUrl}`);
    expect(registry.count('archive')).toBe(0);
    const refused = await fetch(`http://${LOOPBACK}:${restricted}/update`, {
      method: 'POST',
      body: '{"command":"check"}',
    });
    expect(refused.status).toBe(404);
  });

  test('is downloaded once, and again only when the file is damaged', async () => {
    await openRegistry();
    const first = await start('download');
    const { dataDir } = first;
    await waitUntil('the download', () => first.process.output().includes('was downloaded to'));
    const name = `monero-node-daemon-${NEWER}.tgz`;
    expect(archives(first)).toEqual([name]);
    const path = join(folderOf(first), name);
    expect(readFileSync(path)).toEqual(registry.archive);
    const { ino, mtimeMs } = statSync(path);
    await first.stop();

    const second = await start('update', [], dataDir);
    await waitUntil('the advice', () => second.process.output().includes('cannot install'));
    expect(second.process.output()).toContain(`install ${path} yourself`);
    expect(statSync(path)).toMatchObject({ ino, mtimeMs });
    expect(registry.count('archive')).toBe(1);
    expect(await update('download')).toMatchObject({ ...found(), path, status: 'OK' });
    expect(registry.count('archive')).toBe(1);

    writeFileSync(path, registry.archive.subarray(0, 50_000));
    expect(await update('download')).toMatchObject({ path, status: 'OK' });
    expect(registry.count('archive')).toBe(2);
    expect(readFileSync(path)).toEqual(registry.archive);

    const given = join(newFolder('update'), 'given.tgz');
    expect(await update('download', { path: given })).toMatchObject({ path: given, status: 'OK' });
    writeFileSync(given, 'mine');
    expect(await update('download', { path: given })).toMatchObject({
      path: '',
      status: `Failed to download: ${given} is another file`,
    });
    expect(readFileSync(given, 'utf8')).toBe('mine');
    expect(await update('update')).toMatchObject({ path, status: "'update' not implemented yet" });
  });

  test('is looked for on request only, when no mode is given', async () => {
    await openRegistry();
    const running = await start(undefined);
    expect((await running.info())['update_available']).toBe(false);
    expect(registry.requests).toEqual([]);
    expect(await update('x')).toMatchObject({ status: "unknown command: 'x'", update: false });
    expect(registry.requests).toEqual([]);
    expect(await update('check')).toMatchObject(found());
    expect((await running.info())['update_available']).toBe(true);
  });

  test('is not looked for by a node that is offline', async () => {
    await openRegistry();
    const running = await start('download', ['--offline']);
    expect(running.process.output()).toContain('--check-updates has no effect with --offline');
    expect(await update('check')).toMatchObject({ status: 'Daemon is running offline' });
    await running.stop();
    expect(registry.requests).toEqual([]);
  });

  test('an older one, the same and a pre-release are not announced', async () => {
    await openRegistry(own);
    const running = await start('download');
    await waitUntil('the check', () => registry.count('manifest') === 1);
    for (const version of [own, '0.0.1', `${NEWER}-rc.1`]) {
      registry.version = version;
      expect(await update('download')).toMatchObject({ status: 'OK', update: false, version: '' });
    }
    expect(running.process.output()).not.toContain('is available');
    expect(registry.count('archive')).toBe(0);
  });
});

describe('nothing is kept, and the reason is given', () => {
  test('when the registry errs or attacks', async () => {
    await openRegistry();
    const running = await start('disabled');
    const statusOf = async (command: string): Promise<string> =>
      String((await update(command))['status']);
    const cases: [NpmRegistry['onManifest'], string][] = [
      [(to) => to.end('{"name":'), 'it is not JSON'],
      [(to) => to.end('[]'), 'it is no JSON object'],
      [(to) => to.writeHead(404).end('{"error":"not_found"}'), 'has no version of'],
      [(to) => to.writeHead(302, { Location: '/' }).end(), 'it redirects elsewhere'],
      [(to) => to.end(Buffer.alloc(50_000_000, ' ')), 'its answer is longer than 262144 bytes'],
      [
        (to) => {
          const flood = (): void => void to.write(' '.repeat(65_536), (error) => error ?? flood());
          flood();
        },
        'its answer is longer than 262144 bytes',
      ],
    ];
    for (const [answer, why] of cases) {
      registry.onManifest = answer;
      expect(await statusOf('download')).toMatch(/^Error checking for updates: /);
      expect(await statusOf('check')).toContain(why);
    }
    registry.onManifest = undefined;
    const bad: [NpmRegistry['onArchive'], string][] = [
      [(to) => to.end(Buffer.alloc(100_000)), 'does not have the hash that the registry names'],
      [(to) => to.end(registry.archive.subarray(1)), 'does not have the hash'],
      [
        (to) => {
          to.writeHead(200, { 'Content-Length': 100_000 });
          to.write(registry.archive.subarray(0, 50_000), () => to.destroy());
        },
        'aborted',
      ],
      [(to) => to.writeHead(301, { Location: registry.archiveUrl }).end(), 'redirects elsewhere'],
      [(to) => to.end(Buffer.alloc(33 * 1024 * 1024)), 'longer than 33554432 bytes'],
    ];
    for (const [answer, why] of bad) {
      registry.onArchive = answer;
      const status = await statusOf('download');
      expect(status).toMatch(/^Failed to download: /);
      expect(status).toContain(why);
      expect(archives(running)).toEqual([]);
    }
    await registry.close();
    expect(await statusOf('check')).toContain('ECONNREFUSED');
    expect(running.process.running).toBe(true);
  });

  test('when the registry drips its answer; the node serves meanwhile and stops at once', async () => {
    await openRegistry();
    let dripping = 0;
    registry.onManifest = (to) => {
      dripping++;
      const drip = setInterval(() => to.write(' '), 100);
      to.on('close', () => clearInterval(drip));
    };
    const running = await start('notify');
    await waitUntil('the drip', () => dripping === 1);
    expect((await running.info())['status']).toBe('OK');
    const line = 'looking for updates failed: ';
    await waitUntil('the end', () => running.process.output().includes(line));
    expect(running.process.output()).toContain(`${line}${registry.url}: it took longer than 20 s`);
    const check = update('check').catch(() => undefined);
    await waitUntil('the second drip', () => dripping === 2);
    expect(await running.stop()).toBe(0);
    await check;
  });
});

describeWith(['openssl'], 'a registry over TLS', () => {
  async function secureRegistry() {
    const certificate = makeCertificate(newFolder('registry'), NAME);
    registry = await NpmRegistry.open(NEWER, NAME, certificate);
    const proxy = await SocksServer.open({
      route: ({ port }) => ({ host: LOOPBACK, port }),
      login: 'me:secret',
    });
    closing.push(registry, proxy);
    return { certificate, proxy };
  }

  test('is reached through the proxy of the node, which alone resolves its name', async () => {
    const { certificate, proxy } = await secureRegistry();
    node = await startOurDaemon({
      extra: [
        ...['--check-updates', 'download', '--update-registry', registry.url],
        ...['--proxy', `socks5://me:secret@${proxy.address}`],
      ],
      env: { NODE_EXTRA_CA_CERTS: certificate.path },
    });
    const { process: running } = node;
    await waitUntil('the download', () => running.output().includes('was downloaded to'));
    expect(archives(node)).toEqual([`monero-node-daemon-${NEWER}.tgz`]);
    const asked = proxy.requests.filter(({ port }) => port === registry.port);
    expect(asked.map(({ host, login }) => [host, login])).toEqual([
      [NAME, 'me:secret'],
      [NAME, 'me:secret'],
    ]);
    await proxy.close();
    expect(String((await update('check'))['status'])).toContain('the proxy is not reachable');
  });

  test('is refused when its certificate is not known', async () => {
    const { proxy } = await secureRegistry();
    node = await startOurDaemon({
      extra: [
        ...['--update-registry', registry.url],
        ...['--proxy', `socks5://me:secret@${proxy.address}`],
      ],
    });
    expect(String((await update('check'))['status'])).toContain('certificate');
    expect(registry.requests).toEqual([]);
  });
});
