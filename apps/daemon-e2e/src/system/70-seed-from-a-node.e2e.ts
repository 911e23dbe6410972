import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  closeSync,
  createReadStream,
  existsSync,
  mkdirSync,
  openSync,
  readdirSync,
  statSync,
  unlinkSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { Server } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openLmdbStore } from '@monero-node/storage';
import { chainTool, ending } from '../harness/chain-tool.ts';
import type { JsonObject } from '../harness/json.ts';
import { mine, waitForRpc, type RunningNode } from '../harness/monerod.ts';
import { makeCertificate } from '../harness/npm-registry.ts';
import { launchOurDaemon, startOurDaemon } from '../harness/our-daemon.ts';
import { freePorts, LOOPBACK } from '../harness/ports.ts';
import { newFolder } from '../harness/run-folder.ts';
import { SteadyClient } from '../harness/steady-client.ts';
import { waitUntil } from '../harness/wait.ts';

const ADDRESS =
  '44AFFq5kSiGBoZ4NMDwYtN18obc8AemS33DBLWs3H7otXft3XjrpDtQGv7SqSsaBYBb98uNbr2VBBEt7f2wfn3RVGQBEP3A';
/** Rows that make the file of a short chain as long as a copy takes that is killed five times. */
const PADDING = { rows: 24, bytes: 8 * 2 ** 20 };

let key: string;
let source: RunningNode;
let seedPort: number;
const running: RunningNode[] = [];
const servers: Server[] = [];

const chainFolder = (dataDir: string): string => join(dataDir, 'fake', 'chain');
const incomplete = (dataDir: string): string => join(dataDir, 'fake', 'seed-incomplete');
const from = (port: number): string[] => [
  ...['--seed-from', `${LOOPBACK}:${port}`, '--seed-key-file', key],
];
const serving = (port: number): string[] => [
  ...['--seed-bind-port', String(port), '--seed-key-file', key],
];
const seed = (dataDir: string, ...args: string[]) =>
  ending(chainTool(dataDir, 'seed', args), 120_000);

async function pad(dataDir: string): Promise<void> {
  const store = await openLmdbStore({ path: chainFolder(dataDir) });
  for (let row = 0; row < PADDING.rows; row += 1)
    await store.setProperty(`padding ${row}`, randomBytes(PADDING.bytes));
  await store.close();
}

/** Starts a node that does not start, and returns what it says. */
async function refusal(options: Parameters<typeof launchOurDaemon>[0]): Promise<string> {
  const node = await launchOurDaemon(options);
  const { code } = await node.process.exited;
  expect(code).not.toBe(0);
  return node.process.output();
}

beforeAll(async () => {
  const folder = newFolder('seed-source');
  key = join(folder, 'key');
  writeFileSync(key, randomBytes(32).toString('hex'), { mode: 0o600 });
  const dataDir = join(folder, 'data');
  const first = await startOurDaemon({ dataDir, offline: true });
  await mine(first, 200, ADDRESS);
  await first.stop();
  await pad(dataDir);
  [seedPort = 0] = await freePorts(1);
  source = await startOurDaemon({ dataDir, offline: true, extra: serving(seedPort) });
  running.push(source);
}, 240_000);

afterAll(async () => {
  for (const server of servers) server.close();
  for (const node of running) await node.stop();
});

test('a new node that is killed or stopped at five moments goes on, serves the chain of the source, and starts again', async () => {
  const dataDir = newFolder('seeded');
  const options = { name: 'seeded', dataDir, extra: from(seedPort) };
  const { size } = statSync(join(chainFolder(source.dataDir), 'data.mdb'));
  const steady = new SteadyClient(source.rpc.port);
  for (const share of [0, 0.2, 0.4, 0.6, 0.8]) {
    const node = await launchOurDaemon(options);
    const part = join(incomplete(dataDir), 'data.mdb');
    await waitUntil(
      `a share of ${share} to arrive`,
      () =>
        Promise.resolve((statSync(part, { throwIfNoEntry: false })?.size ?? -1) >= share * size),
      { timeout: 60_000, interval: 2 },
    );
    if (share === 0.4) expect(await node.process.stop()).toBe(0);
    else await node.process.kill();
    expect(existsSync(chainFolder(dataDir))).toBe(false);
    // The chain goes on meanwhile.
    await mine(source, 1, ADDRESS);
  }
  const seeded = await startOurDaemon(options);
  running.push(seeded);
  const seen = await steady.stop();
  expect(seen).toMatchObject({ broken: 0, goneBack: 0 });
  const figures = /the chain of \d+ blocks.*$/m.exec(seeded.process.output())?.[0];
  process.stdout.write(`${figures ?? ''}; the source answered ${seen.answers} calls meanwhile\n`);
  const { height } = await seeded.tip();
  expect(height).toBeGreaterThanOrEqual(201);
  const header = await source.rpc.call('get_block_header_by_height', { height: height - 1 });
  expect(header['block_header']).toMatchObject({ hash: (await seeded.tip()).id });
  expect(existsSync(incomplete(dataDir))).toBe(false);
  running.pop();
  expect(await seeded.stop()).toBe(0);
  expect(await ending(chainTool(dataDir, 'verify', []), 120_000)).toMatchObject({
    code: 0,
    output: expect.stringContaining('every row is as it must be'),
  });
  const again = await startOurDaemon(options);
  expect(again.process.output()).toContain('--seed-from has no effect any more');
  expect(await again.stop()).toBe(0);
}, 400_000);

test('a data directory with a chain, another network and another key are refused', async () => {
  const own = newFolder('has-a-chain');
  const node = await startOurDaemon({ dataDir: own });
  await node.stop();
  const before = readdirSync(chainFolder(own));
  expect(await refusal({ dataDir: own, extra: from(seedPort) })).toContain(
    'is there already: a seed needs a data directory without a chain',
  );
  expect(readdirSync(chainFolder(own))).toEqual(before);
  const elsewhere = newFolder('another-network');
  expect(
    await refusal({ dataDir: elsewhere, network: 'stagenet', extra: from(seedPort) }),
  ).toContain('the source has a chain of regtest, and this node is of stagenet');
  expect(existsSync(join(elsewhere, 'stagenet', 'seed-incomplete'))).toBe(false);
  const other = join(own, 'other-key');
  writeFileSync(other, randomBytes(32).toString('hex'), { mode: 0o600 });
  const extra = ['--seed-from', `${LOOPBACK}:${seedPort}`, '--seed-key-file', other];
  expect(await seed(newFolder('another-key'), ...extra)).toMatchObject({
    code: 1,
    output: expect.stringContaining('status 401: its key is another one'),
  });
}, 120_000);

test('what something between the nodes has changed is refused, and nothing of it is kept', async () => {
  const forward = async (url: string, fields: Record<string, string>) => {
    const answer = await fetch(`http://${LOOPBACK}:${seedPort}${url}`, { headers: fields });
    const proof = answer.headers.get('seed-proof') ?? '';
    return { status: answer.status, proof, body: Buffer.from(await answer.arrayBuffer()) };
  };
  let parts = 0;
  const liar = createServer((request, response) => {
    const { authorization = '', range } = request.headers;
    const fields = { authorization, ...(range !== undefined && { range }) };
    void forward(request.url ?? '', fields).then(({ status, proof, body }) => {
      if (range !== undefined && ++parts === 3) body.writeUInt8((body[99] ?? 0) ^ 1, 99);
      response.writeHead(status, { 'seed-proof': proof, 'content-length': body.length });
      response.end(body);
    });
  });
  servers.push(liar);
  const [port = 0] = await freePorts(1);
  await new Promise<void>((resolve) => liar.listen(port, LOOPBACK, resolve));
  const dataDir = newFolder('lied-to');
  const { code, output } = await seed(dataDir, ...from(port));
  expect([code, parts >= 3]).toEqual([1, true]);
  expect(output).toContain('the answer is not proven by the key');
  expect(existsSync(incomplete(dataDir))).toBe(false);
  expect(existsSync(chainFolder(dataDir))).toBe(false);
}, 120_000);

test('a source whose blocks are not those of the fleet is refused; one with the same is taken, pruned too', async () => {
  const [port = 0] = await freePorts(1);
  const other = await startOurDaemon({
    name: 'pruned',
    offline: true,
    extra: [...serving(port), '--prune-blockchain'],
  });
  running.push(other);
  await mine(other, 30, ADDRESS);
  const refused = newFolder('foreign');
  const fleet = ['--fleet-node', `${LOOPBACK}:${source.rpc.port}`];
  const foreign = await seed(refused, ...from(port), ...fleet);
  expect(foreign).toMatchObject({
    code: 1,
    output: expect.stringContaining('the fleet has another block 20 than the source'),
  });
  expect(existsSync(incomplete(refused))).toBe(false);
  const taken = newFolder('same');
  const same = await seed(taken, ...from(port), '--fleet-node', `${LOOPBACK}:${other.rpc.port}`);
  expect(same).toMatchObject({
    code: 0,
    output: expect.stringContaining('1 of 1 nodes of the fleet have the same block 30'),
  });
  const { output } = await ending(chainTool(taken, 'info', ['--json']), 60_000);
  const info = JSON.parse(output) as JsonObject;
  expect(info).toMatchObject({ height: 31, topId: (await other.tip()).id });
  expect(info['pruningSeed']).toBeGreaterThan(0);
  const node = await launchOurDaemon({ dataDir: taken, offline: true });
  await waitForRpc(node.process, node.rpc, 60_000);
  expect(await node.tip()).toEqual(await other.tip());
  expect(await node.stop()).toBe(0);
}, 120_000);

test('a backup with digests on a web server becomes a chain, and one that is damaged does not', async () => {
  const folder = newFolder('seed-backup');
  const made = await ending(chainTool(source.dataDir, 'backup', ['--digests', folder]), 120_000);
  expect(made.code).toBe(0);
  expect(readdirSync(chainFolder(folder)).sort()).toEqual(['data.mdb', 'seed.json']);
  const certificate = makeCertificate(folder, 'localhost');
  const server = createSecureServer(certificate, (request, response) => {
    const path = join(chainFolder(folder), request.url ?? '');
    const [, first, last] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? '') ?? [];
    response.writeHead(first === undefined ? 200 : 206);
    createReadStream(
      path,
      first === undefined ? {} : { start: Number(first), end: Number(last) },
    ).pipe(response);
  });
  servers.push(server);
  const [port = 0] = await freePorts(1);
  await new Promise<void>((resolve) => server.listen(port, 'localhost', resolve));
  const copy = (dataDir: string) => {
    const url = `https://localhost:${port}/seed.json`;
    const tool = chainTool(dataDir, 'seed', ['--seed-from', url, '--seed-verify', 'rows']);
    const env = { ...tool.env, NODE_EXTRA_CA_CERTS: certificate.path };
    return ending({ ...tool, env }, 120_000);
  };
  const taken = newFolder('from-backup');
  expect(await copy(taken)).toMatchObject({
    code: 0,
    output: expect.stringContaining('is here: copied in'),
  });
  const path = join(chainFolder(folder), 'data.mdb');
  const file = openSync(path, 'r+');
  writeSync(file, 'damaged', Math.floor(statSync(path).size / 2));
  closeSync(file);
  const refused = newFolder('from-damaged-backup');
  expect(await copy(refused)).toMatchObject({
    code: 1,
    output: expect.stringContaining('are not those of the manifest'),
  });
  expect([existsSync(incomplete(refused)), existsSync(chainFolder(refused))]).toEqual([
    false,
    false,
  ]);
}, 240_000);

/** Mounts a disk of a size in memory; returns undefined where that is not allowed. */
function smallDisk(bytes: number): string | undefined {
  const folder = newFolder('small-disk');
  const options = ['-t', 'tmpfs', '-o', `size=${bytes}`, 'tmpfs', folder];
  return spawnSync('mount', options).status === 0 ? folder : undefined;
}

const canMount = ((disk) => disk !== undefined && spawnSync('umount', [disk]).status === 0)(
  smallDisk(4096),
);
if (!canMount) process.stderr.write('skipped: a disk that fills: tmpfs cannot be mounted\n');

/** Writes a file that takes what a disk has left. */
function fill(path: string): void {
  const file = openSync(path, 'w');
  const zeros = new Uint8Array(2 ** 20);
  try {
    for (;;) writeSync(file, zeros);
  } catch (error) {
    expect(error).toMatchObject({ code: 'ENOSPC' });
  } finally {
    closeSync(file);
  }
}

(canMount ? test : test.skip)(
  'a disk that fills while a chain is copied ends the copy, which goes on once there is space',
  async () => {
    const { size } = statSync(join(chainFolder(source.dataDir), 'data.mdb'));
    const disk = smallDisk(size + 64 * 2 ** 20) ?? '';
    try {
      const dataDir = join(disk, 'data');
      mkdirSync(dataDir);
      const part = join(incomplete(dataDir), 'data.mdb');
      const arrived = (): number => statSync(part, { throwIfNoEntry: false })?.size ?? 0;
      const ended = seed(dataDir, ...from(seedPort));
      await waitUntil('a quarter to arrive', () => arrived() > size / 4, {
        timeout: 60_000,
        interval: 2,
      });
      const filler = join(disk, 'filler');
      fill(filler);
      const { code, output } = await ended;
      expect(code).not.toBe(0);
      expect(output).toContain('data.mdb is full');
      expect(existsSync(chainFolder(dataDir))).toBe(false);
      const kept = arrived();
      expect(kept).toBeGreaterThan(size / 4);
      // As long as there is no space it says so at once, and changes nothing.
      expect(await seed(dataDir, ...from(seedPort))).toMatchObject({
        code,
        output: expect.stringContaining('the rest of the chain needs'),
      });
      expect(arrived()).toBe(kept);
      unlinkSync(filler);
      expect(await seed(dataDir, ...from(seedPort))).toMatchObject({
        code: 0,
        output: expect.stringContaining('is here: copied in'),
      });
      expect(existsSync(incomplete(dataDir))).toBe(false);
    } finally {
      spawnSync('umount', ['--lazy', disk]);
    }
  },
  120_000,
);
