import { randomFillSync } from 'node:crypto';
import {
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger } from '@monero-node/base';
import type { StoreImage } from '@monero-node/storage';
import { downloadSeed } from './download-seed.ts';
import { ImageDesk } from './image-desk.ts';
import { PART_SIZE, readManifest, writeManifest, type SeedManifest } from './manifest.ts';
import { sha256 } from './proof.ts';
import { SeedServer } from './seed-server.ts';
import { SeedSource } from './seed-source.ts';

const KEY = 'k'.repeat(32);
const SIZE = 2 * PART_SIZE + 4096;

/** What stands for the file of a store. */
let data: Uint8Array<ArrayBuffer>;
let sizeOnDisk: number;
let opened: number;
let closed: number;
let reads: number;
let notReady: string[];
let folder: string;
let source: SeedServer;
let others: Server[];

function openImage(): Promise<StoreImage> {
  opened += 1;
  const bytes = data.slice();
  return Promise.resolve({
    height: 9,
    topId: new Uint8Array(32).fill(7),
    size: bytes.length,
    read: (target: Uint8Array, at: number) => {
      reads += 1;
      target.set(bytes.subarray(at, at + target.length));
      return Promise.resolve();
    },
    close: () => {
      closed += 1;
      return Promise.resolve();
    },
  });
}

const store = {
  openImage,
  get sizeOnDisk() {
    return sizeOnDisk;
  },
};

beforeEach(async () => {
  data = randomFillSync(new Uint8Array(SIZE));
  [sizeOnDisk, opened, closed, reads] = [SIZE, 0, 0, 0];
  notReady = [];
  others = [];
  folder = mkdtempSync(join(tmpdir(), 'seed-'));
  source = new SeedServer(
    { bindIp: '127.0.0.1', bindPort: 0, key: KEY },
    { store, network: 'regtest', logger: silentLogger, notReady: () => notReady },
  );
  await source.start();
});
afterEach(async () => {
  await source.stop();
  for (const server of others) server.close();
  rmSync(folder, { recursive: true });
});

const sourceAt = (port: number, key: string | null = KEY, patience = 0) =>
  new SeedSource({
    url: new URL(`http://127.0.0.1:${port}/seed.json`),
    key: key ?? undefined,
    signal: new AbortController().signal,
    logger: silentLogger,
    patience,
  });

const download = (from = sourceAt(source.port), network = 'regtest') =>
  downloadSeed(folder, {
    source: from,
    network,
    signal: new AbortController().signal,
    onProgress: () => undefined,
  });

const received = () => readFileSync(join(folder, 'data.mdb'));
const isWhole = () => Buffer.compare(received(), data) === 0;

/** A server that answers by `answer`, and the source of it. */
async function fake(answer: (request: IncomingMessage, response: ServerResponse) => void) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  others.push(server);
  await new Promise((resolve) => server.once('listening', resolve));
  return (server.address() as AddressInfo).port;
}

async function withDigests(): Promise<SeedManifest> {
  const digests: string[] = [];
  for (let at = 0; at < SIZE; at += PART_SIZE)
    digests.push(await sha256(data.slice(at, at + PART_SIZE)));
  const topId = '07'.repeat(32);
  return { network: 'regtest', height: 9, topId, size: SIZE, file: 'data.mdb', digests };
}

/** A web server with a backup; `change` may replace what it sends of the file. */
async function webServer(manifest: SeedManifest, change = (bytes: Uint8Array) => bytes) {
  const asked: string[] = [];
  const port = await fake((request, response) => {
    if (request.url === '/seed.json') return void response.end(writeManifest(manifest));
    asked.push(request.headers.range ?? '');
    const [, from = '0', to = '0'] = /bytes=(\d+)-(\d+)/.exec(request.headers.range ?? '') ?? [];
    response.writeHead(206);
    response.end(change(data.slice(Number(from), Number(to) + 1)));
  });
  // As https does without a key.
  return { from: sourceAt(port, null), asked };
}

test('the file arrives whole, and what a killed attempt has left is not sent again', async () => {
  expect(await download()).toMatchObject({ network: 'regtest', height: 9, size: SIZE });
  expect(isWhole()).toBe(true);
  expect([opened, reads]).toEqual([1, 3]);
  expect(source.status).toMatchObject({ position: SIZE, size: SIZE, bytes: SIZE });
  const sent: (Uint8Array | undefined)[] = [];
  const own = sourceAt(source.port);
  const counting = {
    manifest: () => own.manifest(),
    part: async (...args: Parameters<SeedSource['part']>) => {
      const bytes = await own.part(...args);
      sent.push(bytes);
      return bytes;
    },
  };
  truncateSync(join(folder, 'data.mdb'), PART_SIZE + 5);
  await downloadSeed(folder, {
    source: counting,
    network: 'regtest',
    signal: new AbortController().signal,
    onProgress: () => undefined,
  });
  expect(isWhole()).toBe(true);
  expect(sent.map((bytes) => bytes?.length)).toEqual([undefined, PART_SIZE, 4096]);
  // What was there is dealt with, and not sent.
  expect(source.status.bytes).toBe(SIZE + PART_SIZE + 4096);
});

test('an image that has gone is replaced by a new one, and only what differs is sent', async () => {
  const own = sourceAt(source.port);
  let manifests = 0;
  const moving = {
    manifest: async () => {
      const manifest = await own.manifest();
      if (manifests++ > 0) return manifest;
      return {
        ...manifest,
        file: manifest.file.replace(/[0-9a-f]/, (digit) => (digit === '0' ? '1' : '0')),
      };
    },
    part: (...args: Parameters<SeedSource['part']>) => own.part(...args),
  };
  await downloadSeed(folder, {
    source: moving,
    network: 'regtest',
    signal: new AbortController().signal,
    onProgress: () => undefined,
  });
  expect(manifests).toBe(2);
  expect(isWhole()).toBe(true);
});

test('who has another key gets nothing, and nothing is read for it', async () => {
  await expect(download(sourceAt(source.port, 'x'.repeat(32)))).rejects.toThrow(
    'status 401: its key is another one',
  );
  expect([opened, reads, existsSync(join(folder, 'data.mdb'))]).toEqual([0, 0, false]);
});

test('a chain that the disk has no space for is refused before anything is written', async () => {
  const manifest = {
    network: 'regtest',
    height: 9,
    topId: '07'.repeat(32),
    file: 'a',
    size: 2 ** 43,
  };
  const part = () => Promise.reject(new Error('asked for'));
  const started = downloadSeed(folder, {
    source: { manifest: () => Promise.resolve(manifest), part },
    network: 'regtest',
    signal: new AbortController().signal,
    onProgress: () => undefined,
  });
  await expect(started).rejects.toMatchObject({
    systemCode: 'ENOSPC',
    message: expect.stringMatching(/^the rest of the chain needs 8,388,608 MiB, and the disk/),
  });
  expect(received()).toHaveLength(0);
});

test('a chain of another network is refused', async () => {
  await expect(download(undefined, 'mainnet')).rejects.toMatchObject({
    name: 'SeedRefusedError',
    message: 'the source has a chain of regtest, and this node is of mainnet',
  });
});

test('a source that is not ready is asked again, and then given up with the way to go on', async () => {
  notReady = ['no_peers'];
  await expect(download()).rejects.toThrow('status 503; what has arrived is kept: start again');
  setTimeout(() => (notReady = []), 100);
  await download(sourceAt(source.port, KEY, 60_000));
  expect(isWhole()).toBe(true);
});

test.each<[string, (bytes: Buffer) => Buffer]>([
  ['a changed byte', (bytes) => Buffer.from(bytes).fill(1, 7, 8)],
  ['a part cut short', (bytes) => bytes.subarray(0, -1)],
])('%s on the way from a node is refused', async (_, change) => {
  const port = await fake((request, response) => {
    const { authorization = '', range = '' } = request.headers;
    const headers = { authorization, ...(range !== '' && { range }) };
    const forward = async (): Promise<void> => {
      const answer = await fetch(`http://127.0.0.1:${source.port}${request.url ?? ''}`, {
        headers,
      });
      const body = Buffer.from(await answer.arrayBuffer());
      response.writeHead(answer.status, { 'seed-proof': answer.headers.get('seed-proof') ?? '' });
      response.end(request.url === '/seed.json' ? body : change(body));
    };
    void forward();
  });
  await expect(download(sourceAt(port))).rejects.toMatchObject({
    name: 'SeedRefusedError',
    message: expect.stringContaining('is not proven by the key'),
  });
});

test('a backup of a web server arrives, and what is there already is not asked for', async () => {
  const { from, asked } = await webServer(await withDigests());
  await download(from);
  expect(isWhole()).toBe(true);
  writeFileSync(join(folder, 'data.mdb'), data.slice(0, PART_SIZE));
  asked.length = 0;
  await download(from);
  expect(isWhole()).toBe(true);
  expect(asked).toHaveLength(2);
});

test.each<[string, (bytes: Uint8Array) => Uint8Array, RegExp]>([
  [
    'a changed byte',
    (bytes) => Buffer.from(bytes).fill(1, 9, 10).fill(2, 10, 11),
    /are not those of the manifest/,
  ],
  ['a part cut short', (bytes) => bytes.subarray(1), /are \d+ bytes/],
  ['more than was asked for', (bytes) => Buffer.concat([bytes, bytes]), /longer than/],
])('%s of a web server is refused', async (_, change, message) => {
  const { from } = await webServer(await withDigests(), change);
  await expect(download(from)).rejects.toMatchObject({
    name: 'SeedRefusedError',
    message: expect.stringMatching(message),
  });
});

test('an answer without an end is cut off', async () => {
  let written = 0;
  const port = await fake((_, response) => {
    response.on('error', () => undefined);
    const chunk = Buffer.alloc(1 << 20, ' ');
    const more = (): void => {
      if (response.destroyed) return;
      written += chunk.length;
      response.write(chunk, more);
    };
    more();
  });
  await expect(download(sourceAt(port))).rejects.toThrow('its answer is longer than');
  expect(written).toBeLessThan(2 ** 28);
});

test('a web server without ranges, without digests or with a redirect is refused', async () => {
  const manifest = await withDigests();
  const whole = await fake((request, response) => {
    response.end(request.url === '/seed.json' ? writeManifest(manifest) : data.slice(0, PART_SIZE));
  });
  await expect(download(sourceAt(whole, null))).rejects.toThrow('serves no ranges');
  const { digests: _, ...bare } = manifest;
  const { from } = await webServer(bare);
  await expect(download(from)).rejects.toThrow('the manifest holds no digests');
  const elsewhere = await fake((_, response) => {
    response.writeHead(302, { Location: 'http://127.0.0.1:1/' });
    response.end();
  });
  await expect(download(sourceAt(elsewhere, null))).rejects.toThrow('status 302');
});

const MANIFEST = {
  format: 'monero-node seed 1',
  partSize: PART_SIZE,
  network: 'regtest',
  height: 9,
};
test.each([
  ['no JSON object', ''],
  ['no JSON object', 'null'],
  ['wrong format', JSON.stringify({ ...MANIFEST, format: 2 })],
  ['wrong partSize', JSON.stringify({ ...MANIFEST, partSize: 2 ** 50 })],
  ['wrong network', JSON.stringify({ ...MANIFEST, network: '<b>' })],
  ['wrong height', JSON.stringify({ ...MANIFEST, height: 0 })],
  ['wrong topId', JSON.stringify({ ...MANIFEST, topId: 'z'.repeat(64) })],
  ['wrong size', JSON.stringify({ ...MANIFEST, topId: '00'.repeat(32), size: 2 ** 52 })],
  ['wrong file', JSON.stringify({ ...MANIFEST, topId: '00'.repeat(32), size: 8192, file: '../x' })],
  [
    'wrong file',
    JSON.stringify({ ...MANIFEST, topId: '00'.repeat(32), size: 8192, file: 'a/b/c' }),
  ],
  [
    'wrong digests',
    JSON.stringify({ ...MANIFEST, topId: '00'.repeat(32), size: 8192, file: 'a', digests: [] }),
  ],
])('a manifest is refused: %s (%#)', (message, text) => {
  expect(() => readManifest(text)).toThrow(message);
});

test('an image is closed when nobody asks, when it is too old, and when the file has grown', async () => {
  let now = 0;
  const limits = { idleMs: 100, ageMs: 1000, growth: 50 };
  const desk = new ImageDesk({
    store,
    network: 'regtest',
    logger: silentLogger,
    limits,
    now: () => now,
  });
  const { file } = await desk.manifest();
  const id = file.split('/')[0] ?? '';
  now = 90;
  expect((await desk.manifest()).file).toBe(file);
  now = 180;
  await desk.look();
  expect([desk.sizeOf(id), closed]).toEqual([SIZE, 0]);
  now = 200;
  await desk.look();
  expect([desk.sizeOf(id), closed]).toEqual([undefined, 1]);
  await desk.manifest();
  for (; now <= 1300; now += 50) {
    await desk.read(0, 10);
    await desk.look();
  }
  expect([opened, closed]).toEqual([2, 2]);
  await desk.manifest();
  sizeOnDisk += 51;
  await desk.look();
  expect(closed).toBe(3);
  // A receiver that always has a part under way does not keep it open.
  const kept = (await desk.manifest()).file.split('/')[0] ?? '';
  const reading = desk.read(0, 10);
  now += 1001;
  const looking = desk.look();
  expect([desk.sizeOf(kept), closed]).toEqual([undefined, 3]);
  await looking;
  expect(await reading).toHaveLength(10);
  expect(closed).toBe(4);
  await desk.stop();
});

test('only so many parts are read at a time', async () => {
  const desk = new ImageDesk({ store, network: 'regtest', logger: silentLogger });
  await desk.manifest();
  const got = await Promise.all(Array.from({ length: 6 }, () => desk.read(0, 10)));
  expect(got.filter((bytes) => bytes === undefined)).toHaveLength(2);
  await desk.stop();
});
