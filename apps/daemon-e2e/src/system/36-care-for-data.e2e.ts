import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { chainTool, ending } from '../harness/chain-tool.ts';
import { isObject, numberOf, stringOf, type JsonObject } from '../harness/json.ts';
import { startOurDaemon } from '../harness/our-daemon.ts';
import { mine, type RunningNode } from '../harness/monerod.ts';
import { ManagedProcess } from '../harness/processes.ts';
import { newFolder } from '../harness/run-folder.ts';

const ADDRESS =
  '44AFFq5kSiGBoZ4NMDwYtN18obc8AemS33DBLWs3H7otXft3XjrpDtQGv7SqSsaBYBb98uNbr2VBBEt7f2wfn3RVGQBEP3A';
const TOOL_TIMEOUT = 60_000;

let node: RunningNode;
let dataDir: string;

const generate = (daemon: RunningNode, blocks: number) => mine(daemon, blocks, ADDRESS);

const tool = (folder: string, command: string, ...args: string[]) =>
  ending(chainTool(folder, command, args), TOOL_TIMEOUT);

async function info(folder: string): Promise<JsonObject> {
  const { output } = await tool(folder, 'info', '--json');
  return JSON.parse(output) as JsonObject;
}

async function idAt(daemon: RunningNode, height: number): Promise<string> {
  const { block_header: header } = await daemon.rpc.call('get_block_header_by_height', { height });
  if (!isObject(header)) throw new Error(`no block ${height}`);
  return stringOf(header, 'hash');
}

/** Damages every occurrence of some bytes in a file. */
function flipByte(path: string, wanted: Buffer): void {
  const bytes = readFileSync(path);
  for (let at = bytes.indexOf(wanted); at >= 0; at = bytes.indexOf(wanted, at + 1))
    bytes.writeUInt8((bytes[at + 5] ?? 0) ^ 1, at + 5);
  writeFileSync(path, bytes);
}

beforeAll(async () => {
  dataDir = newFolder('care');
  node = await startOurDaemon({ dataDir, offline: true });
  await generate(node, 30);
}, 60_000);

afterAll(async () => {
  await node.stop();
});

test('a running node is backed up while it adds blocks, and a node starts on each copy', async () => {
  let adding = true;
  const added = (async () => {
    while (adding) await generate(node, 1);
  })();
  const folders = [0, 1, 2].map((i) => join(dataDir, `copy-${i}`));
  const heights: number[] = [];
  for (const folder of folders) {
    const { code, output } = await tool(dataDir, 'backup', folder);
    expect(output).toMatch(/^\d+ blocks copied to .*fake \(\d+ MiB\)$/m);
    expect(output).toContain('the ledger of the blocks found is copied too');
    expect(code).toBe(0);
    heights.push(Number(/^(\d+) blocks/m.exec(output)?.[1]));
  }
  adding = false;
  await added;
  const { height } = await node.tip();
  expect(heights[2]).toBeGreaterThan(heights[0] ?? Infinity);
  expect(height).toBeGreaterThanOrEqual(heights[2] ?? Infinity);
  for (const [i, folder] of folders.entries()) {
    expect(readdirSync(folder)).toEqual(['fake']);
    expect(readdirSync(join(folder, 'fake')).sort()).toEqual(['chain', 'mining-ledger']);
    expect(readdirSync(join(folder, 'fake', 'chain'))).toEqual(['data.mdb']);
    const verified = await tool(folder, 'verify');
    expect(verified.output).toContain(`${heights[i]} blocks verified: every row is as it must be`);
    expect(verified.code).toBe(0);
    const before = await info(folder);
    expect(before).toMatchObject({ network: 'regtest', height: heights[i] });
    const compacted = await tool(folder, 'compact');
    expect(compacted.output).toMatch(/^compacted from \d+ MiB to \d+ MiB$/m);
    expect(await info(folder)).toMatchObject({
      height: heights[i],
      topId: before['topId'],
      keyImages: 0,
      freePages: 0,
      outputs: heights[i],
      transactions: 0,
      pruningSeed: 0,
    });
    const restored = await startOurDaemon({
      name: `restored-${i}`,
      dataDir: folder,
      offline: true,
    });
    const tip = await restored.tip();
    expect(tip).toEqual({
      height: heights[i],
      id: await idAt(node, (heights[i] ?? 0) - 1),
    });
    await generate(restored, 2);
    expect(numberOf(await restored.info(), 'height')).toBe(tip.height + 2);
    expect(await restored.stop()).toBe(0);
  }
  expect(node.process.output()).toContain('copied the chain of');
}, 400_000);

test('a folder that is not empty is refused, and what a killed backup left is replaced', async () => {
  const folder = newFolder('backup-target');
  writeFileSync(join(folder, 'notes.txt'), 'mine');
  const refused = await tool(dataDir, 'backup', folder);
  expect(refused).toMatchObject({ code: 1, output: expect.stringContaining('is not empty') });
  const other = newFolder('backup-target');
  mkdirSync(join(other, 'backup-incomplete', 'fake'), { recursive: true });
  expect(await tool(dataDir, 'backup', other)).toMatchObject({ code: 0 });
  expect(readdirSync(other)).toEqual(['fake']);
}, 120_000);

test('a backup that is killed leaves the node running and no copy under its name', async () => {
  const folder = join(dataDir, 'killed');
  const started = await ManagedProcess.start(chainTool(dataDir, 'backup', [folder]));
  await started.kill();
  expect(existsSync(join(folder, 'fake'))).toBe(false);
  await generate(node, 1);
  expect(await tool(dataDir, 'backup', folder)).toMatchObject({ code: 0 });
}, 120_000);

test('a chain at rest is backed up', async () => {
  const tip = await node.tip();
  expect(await node.stop()).toBe(0);
  const folder = join(dataDir, 'at-rest');
  expect(await tool(dataDir, 'backup', folder)).toMatchObject({
    code: 0,
    output: expect.stringContaining(`${tip.height} blocks copied`),
  });
  node = await startOurDaemon({ dataDir: folder, offline: true });
  expect(await node.tip()).toEqual(tip);
  const beside = await tool(folder, 'verify');
  expect(beside).toMatchObject({
    code: 1,
    output: expect.stringContaining('is in use by process'),
  });
  flipByte(join(dataDir, 'fake', 'chain', 'data.mdb'), Buffer.from(tip.id, 'hex'));
  const damaged = await tool(dataDir, 'verify');
  expect(damaged.output).toMatch(new RegExp(`^row ${tip.height - 1} of table block`, 'm'));
  expect(damaged.output).toMatch(/rows? (is|are) wrong: restore a backup, or import the chain/);
  expect(damaged.code).toBe(1);
}, 120_000);
