import { EventEmitter, once } from 'node:events';
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Logger } from '@monero-node/base';
import { dialThroughSocks, parseSocksEndpoint } from '@monero-node/p2p/socks';
import { SocksServer } from '@monero-node/p2p/testing';
import { FakeRegistry } from '../testing/fake-registry.ts';
import { UpdateKeeper, type UpdateDependencies, type UpdateMode } from './update-keeper.ts';

const LIMIT = { maxBytes: 4096, totalMs: 60_000, idleMs: 60_000 };
const LIMITS = { manifest: LIMIT, archive: LIMIT };

let registry: FakeRegistry;
let folder: string;
let lines: string[];
const log = new EventEmitter();
let keepers: UpdateKeeper[] = [];

beforeEach(async () => {
  registry = await FakeRegistry.open();
  folder = join(mkdtempSync(join(tmpdir(), 'updates-')), 'updates');
  lines = [];
});
afterEach(async () => {
  for (const keeper of keepers) await keeper.stop();
  keepers = [];
  await registry.close();
  rmSync(join(folder, '..'), { recursive: true });
});

function loggerOf(category: string): Logger {
  const note = (level: string) => (text: string) => {
    lines.push(`${level} ${category} ${text}`);
    log.emit('line');
  };
  return {
    error: note('E'),
    warn: note('W'),
    info: note('I'),
    debug: note('D'),
    trace: note('T'),
    child: loggerOf,
  };
}

function keeperOf(
  mode: UpdateMode = 'disabled',
  changes: Partial<UpdateDependencies> & { registry?: URL } = {},
): UpdateKeeper {
  const { registry: url = registry.url, ...others } = changes;
  const keeper = new UpdateKeeper(
    { mode, registry: url, folder },
    {
      packageName: '@a/b',
      version: '1.0.0',
      limits: LIMITS,
      logger: loggerOf('global'),
      ...others,
    },
  );
  keepers.push(keeper);
  return keeper;
}

/** Waits until a line of the log contains a text. */
async function lineWith(text: string): Promise<string> {
  for (;;) {
    const line = lines.find((candidate) => candidate.includes(text));
    if (line !== undefined) return line;
    await once(log, 'line');
  }
}

const newer = () => ({
  version: '2.0.0',
  uri: new URL('b-2.0.0.tgz', registry.url).href,
  hash: registry.hash,
});
const archivePath = () => join(folder, 'a-b-2.0.0.tgz');

describe('a check', () => {
  test('finds a newer version', async () => {
    const keeper = keeperOf();
    expect(keeper.isAvailable).toBe(false);
    expect(await keeper.check()).toMatchObject(newer());
    expect(keeper.isAvailable).toBe(true);
    expect(registry.requests).toEqual(['/npm/@a%2fb/latest']);
  });

  test.each(['1.0.0', '0.9.9', '2.0.0-beta.1'])('does not announce %s', async (version) => {
    const keeper = keeperOf();
    await keeper.check();
    registry.manifest = { version };
    expect(await keeper.check()).toBeUndefined();
    expect(keeper.isAvailable).toBe(false);
  });

  test('is made once for callers that come at the same time', async () => {
    const keeper = keeperOf();
    const [one, two] = await Promise.all([keeper.check(), keeper.check()]);
    expect(one).toBe(two);
    expect(registry.requests).toHaveLength(1);
    await keeper.check();
    expect(registry.requests).toHaveLength(2);
  });

  test.each<[string, () => void, RegExp]>([
    [
      'a redirect',
      () => (registry.onManifest = (_, to) => to.writeHead(302, { Location: '/x' }).end()),
      /^http:\/\/127\.0\.0\.1:\d+: it redirects elsewhere$/,
    ],
    [
      'an unknown package',
      () => (registry.onManifest = (_, to) => to.writeHead(404).end()),
      /^http:\/\/127\.0\.0\.1:\d+ has no version of @a\/b$/,
    ],
    [
      'broken JSON',
      () => (registry.onManifest = (_, to) => to.end('{')),
      /^the answer of the registry cannot be used: it is not JSON$/,
    ],
    [
      'an announced length above the limit',
      () => (registry.onManifest = (_, to) => to.end(Buffer.alloc(4097))),
      /: its answer is longer than 4096 bytes$/,
    ],
    [
      'an endless answer',
      () =>
        (registry.onManifest = (_, to) => {
          const write = (): void => void to.write('x'.repeat(1000), (error) => error ?? write());
          write();
        }),
      /: its answer is longer than 4096 bytes$/,
    ],
    [
      'a compressed answer',
      () => (registry.onManifest = (_, to) => to.setHeader('Content-Encoding', 'gzip').end('x')),
      /: it sent an encoding that was not asked for$/,
    ],
    [
      'a broken answer',
      () => (registry.onManifest = (_, to) => to.writeHead(200, { 'Content-Length': 9 }).destroy()),
      /^http:\/\/127\.0\.0\.1:\d+: \w/,
    ],
  ])('rejects after %s', async (_, arrange, why) => {
    arrange();
    await expect(keeperOf().check()).rejects.toThrow(why);
    expect(registry.requests).toEqual(['/npm/@a%2fb/latest']);
  });

  test('rejects when there is no registry', async () => {
    const gone = await FakeRegistry.open();
    const url = gone.url;
    await gone.close();
    await expect(keeperOf('disabled', { registry: url }).check()).rejects.toThrow('ECONNREFUSED');
  });

  test('ends when the registry is too slow, or silent', async () => {
    registry.onManifest = (request, response) => {
      const drip = setInterval(() => response.write(' '), 10);
      request.on('close', () => clearInterval(drip));
    };
    const slow = { ...LIMITS.manifest, totalMs: 300 };
    await expect(keeperOf('disabled', { limits: { manifest: slow } }).check()).rejects.toThrow(
      'it took longer than 0.3 s',
    );
    registry.onManifest = () => undefined;
    const silent = { ...LIMITS.manifest, idleMs: 50 };
    await expect(keeperOf('disabled', { limits: { manifest: silent } }).check()).rejects.toThrow(
      'it sent nothing for 0.05 s',
    );
  });

  test('goes through the proxy, which resolves the name', async () => {
    const proxy = await SocksServer.open({
      route: ({ port }) => ({ host: '127.0.0.1', port }),
      login: 'me:secret',
    });
    try {
      const endpoint = parseSocksEndpoint(`socks5://me:secret@${proxy.address}`);
      if (endpoint === undefined) throw new Error('no endpoint');
      const keeper = keeperOf('disabled', {
        registry: new URL(`http://registry.example:${registry.port}/npm/`),
        dial: dialThroughSocks(endpoint),
      });
      const found = await keeper.check();
      if (found === undefined) throw new Error('nothing found');
      expect(found.uri).toBe(`http://registry.example:${registry.port}/npm/b-2.0.0.tgz`);
      await keeper.download(found);
      expect(readFileSync(archivePath())).toEqual(registry.archive);
      expect(proxy.requests).toEqual(
        [1, 2].map(() => ({
          version: 5,
          host: 'registry.example',
          port: registry.port,
          login: 'me:secret',
        })),
      );
      await proxy.close();
      await expect(keeper.check()).rejects.toThrow('proxy is not reachable');
    } finally {
      await proxy.close().catch(() => undefined);
    }
  });
});

describe('a download', () => {
  test('is kept when its hash is right', async () => {
    expect(await keeperOf().download(newer())).toBe(archivePath());
    expect(readFileSync(archivePath())).toEqual(registry.archive);
    expect(readdirSync(folder)).toEqual(['a-b-2.0.0.tgz']);
  });

  test('does not touch a good archive, and replaces a damaged one', async () => {
    const keeper = keeperOf();
    await keeper.download(newer());
    const whatWritingChanges = () => {
      const { ino, size, mtimeMs, ctimeMs } = statSync(archivePath());
      return { ino, size, mtimeMs, ctimeMs };
    };
    const before = whatWritingChanges();
    await keeper.download(newer());
    expect(whatWritingChanges()).toEqual(before);
    expect(registry.requests).toHaveLength(1);
    writeFileSync(archivePath(), 'damaged');
    await keeper.download(newer());
    expect(readFileSync(archivePath())).toEqual(registry.archive);
  });

  test.each<[string, () => void, string]>([
    ['a wrong hash', () => (registry.onArchive = (_, to) => to.end('other')), 'was removed'],
    [
      'an end before its time',
      () =>
        (registry.onArchive = (_, to) => {
          to.writeHead(200, { 'Content-Length': 24 });
          to.write('the archive', () => to.destroy());
        }),
      'aborted',
    ],
    [
      'an early end of an answer without a length',
      () =>
        (registry.onArchive = (request) => {
          request.socket.end('HTTP/1.1 200 OK\r\nConnection: close\r\n\r\nthe archive');
        }),
      'was removed',
    ],
    ['a long answer', () => (registry.onArchive = (_, to) => to.end(Buffer.alloc(4097))), '4096'],
    ['an error', () => (registry.onArchive = (_, to) => to.writeHead(500).end()), 'status 500'],
  ])('is dropped after %s', async (_, arrange, why) => {
    const good = { ...newer() };
    arrange();
    await expect(keeperOf().download(good)).rejects.toThrow(why);
    expect(readdirSync(folder)).toEqual([]);
  });

  test('is made once for callers that come at the same time', async () => {
    const keeper = keeperOf();
    await Promise.all([keeper.download(newer()), keeper.download(newer())]);
    expect(registry.requests).toHaveLength(1);
  });

  test('is refused while another version goes to the same path', async () => {
    const keeper = keeperOf();
    mkdirSync(folder);
    const path = join(folder, 'mine');
    const first = keeper.download(newer(), path);
    const other = { ...newer(), hash: '00'.repeat(64) };
    await expect(keeper.download(other, path)).rejects.toThrow(
      'another version is being downloaded',
    );
    expect(await first).toBe(path);
  });

  test('goes to a path that is given, if there is no other file', async () => {
    const keeper = keeperOf();
    mkdirSync(folder);
    const path = join(folder, 'mine');
    expect(await keeper.download(newer(), path)).toBe(path);
    expect(readFileSync(path)).toEqual(registry.archive);
    expect(await keeper.download(newer(), path)).toBe(path);
    writeFileSync(path, 'another');
    await expect(keeper.download(newer(), path)).rejects.toThrow(`${path} is another file`);
    expect(readFileSync(path, 'utf8')).toBe('another');
    await expect(keeper.download(newer(), folder)).rejects.toThrow('is another file');
    await expect(keeper.download(newer(), 'relative')).rejects.toThrow('no absolute path');
    await expect(keeper.download(newer(), join(folder, 'no/where'))).rejects.toThrow('ENOENT');
    expect(readdirSync(folder)).toEqual(['mine']);
  });

  test('ends with the node and leaves nothing', async () => {
    const asked = new Promise<void>((resolve) => {
      registry.onArchive = (_, to) => {
        to.write('the');
        resolve();
      };
    });
    const keeper = keeperOf();
    const download = keeper.download(newer());
    const ended = expect(download).rejects.toThrow('the node stops');
    await asked;
    await keeper.stop();
    await ended;
    expect(readdirSync(folder)).toEqual([]);
  });

  test('removes what a killed node has left', async () => {
    mkdirSync(folder);
    writeFileSync(join(folder, 'a-b-1.9.0.tgz.0123.part'), 'half');
    writeFileSync(join(folder, 'a-b-1.9.0.tgz'), 'whole');
    await keeperOf().download(newer());
    expect(readdirSync(folder).sort()).toEqual(['a-b-1.9.0.tgz', 'a-b-2.0.0.tgz']);
  });
});

describe('of its own accord the node', () => {
  test('asks nobody by default', async () => {
    const keeper = keeperOf();
    keeper.start();
    await keeper.stop();
    expect(registry.requests).toEqual([]);
  });

  test('announces a newer version', async () => {
    keeperOf('notify').start();
    const { uri, hash } = newer();
    expect(await lineWith('available')).toBe(
      `I global Version 2.0.0 of monero-node is available: ${uri}, SHA-512 hash ${hash}`,
    );
    expect(registry.requests).toHaveLength(1);
  });

  test('downloads it and installs nothing', async () => {
    keeperOf('update').start();
    expect(await lineWith('cannot install')).toBe(
      `E updates --check-updates update cannot install: stop the node and install ${archivePath()} yourself`,
    );
    expect(lines).toContain(
      `I global Version 2.0.0 was downloaded to ${archivePath()}. It is not installed.`,
    );
    expect(readFileSync(archivePath())).toEqual(registry.archive);
  });

  test.each<UpdateMode>(['notify', 'download', 'update'])(
    'says once that nothing is published, and announces what is later (%s)',
    async (mode) => {
      const askedOften = new Promise<void>((resolve) => {
        registry.onManifest = (_, to) => {
          to.writeHead(404).end('{"error":"Not found"}');
          if (registry.requests.length === 4) resolve();
        };
      });
      keeperOf(mode, { period: 5 }).start();
      await askedOften;
      expect(lines).toEqual([
        `I global No update to look for: ${registry.url.origin} has no version of @a/b. This node keeps asking.`,
      ]);
      registry.onManifest = undefined;
      expect(await lineWith('available')).toMatch(/^I global Version 2\.0\.0/);
    },
  );

  test('still reports other failures, such as an archive that is missing', async () => {
    registry.onArchive = (_, to) => to.writeHead(404).end();
    keeperOf('download').start();
    expect(await lineWith('failed')).toBe(
      `E updates looking for updates failed: ${registry.url.origin}: it answered with status 404`,
    );
  });

  test('reports a wrong hash', async () => {
    registry.onArchive = (_, to) => to.end('other');
    keeperOf('download').start();
    expect(await lineWith('failed')).toBe(
      `E updates looking for updates failed: ${newer().uri} does not have the hash that the registry names; it was removed`,
    );
    expect(readdirSync(folder)).toEqual([]);
  });

  test('reports nothing when it is stopped', async () => {
    const asked = new Promise<void>((resolve) => (registry.onManifest = () => resolve()));
    const keeper = keeperOf('notify');
    keeper.start();
    await asked;
    await keeper.stop();
    expect(lines).toEqual([]);
  });
});
