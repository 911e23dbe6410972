import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parseLooseBlock, transactionId } from '../chain/block.ts';
import { hex } from '../chain/bytes.ts';
import { chainFacts, recordedBlocks } from '../chain/fixture.ts';
import { parseLoose } from '../chain/transaction.ts';
import { requireProgram } from '../harness/binaries.ts';
import { chainTool, ending, type Ending } from '../harness/chain-tool.ts';
import { Comparison } from '../harness/comparison.ts';
import { describeWithMonero } from '../harness/describe-with-monero.ts';
import { numberOf, type JsonObject } from '../harness/json.ts';
import {
  HASHES,
  longChain,
  monerodDataWithLongChain,
  ourDataWithLongChain,
} from '../harness/long-chain.ts';
import { startMonerod, type RunningNode } from '../harness/monerod.ts';
import { startOurDaemon } from '../harness/our-daemon.ts';
import { monerodDataWithChain } from '../harness/prepared-chains.ts';
import { ManagedProcess, run } from '../harness/processes.ts';
import { SEED_OF_FIRST_STRIPE } from '../harness/pruning.ts';
import { copyFolder, newFolder } from '../harness/run-folder.ts';
import { sleep, waitUntil } from '../harness/wait.ts';
import { Random } from '../recorder/random.ts';

/** Folder of monerod's regtest data inside its data directory. */
const REGTEST = 'fake';
const UNVERIFIED = '--dangerous-unverified-import';
/** Height up to which the import verifies while it is killed, to keep this short. */
const VERIFIED = 300;
const TIMEOUT = 120_000;
/** Exit status of the chain tool that a signal interrupted. */
const INTERRUPTED = 130;
const random = new Random(Number(process.env['E2E_SEED'] ?? Date.now() % 1_000_000));

const blocks = recordedBlocks();
const txIds = blocks.flatMap(({ block }) => {
  const parsed = parseLooseBlock(block);
  return [transactionId(parsed.minerTx), ...parsed.txHashes].map(hex);
});
const keyImages = blocks
  .flatMap(({ txs }) => txs.map(parseLoose))
  .flatMap(({ inputs }) => inputs)
  .flatMap((input) => (input.kind === 'key' ? [hex(input.keyImage)] : []));

const importFrom = (source: string, dataDir: string, ...more: string[]): Promise<Ending> =>
  ending(chainTool(dataDir, 'import', ['--from-monerod', source, ...more]), TIMEOUT);

/** Returns the number of imported blocks and the height of the chain, from the last line of an import. */
function importedIn(output: string): [number, number] {
  const found = /(\d+) blocks imported; the chain has (\d+) blocks/.exec(output);
  if (found === null) throw new Error(`no result in: ${output}`);
  return [Number(found[1]), Number(found[2])];
}

function chunks<T>(items: readonly T[], size: number): T[][] {
  return Array.from({ length: Math.ceil(items.length / size) }, (_, i) =>
    items.slice(i * size, (i + 1) * size),
  );
}

/** Digests of the files of a database. */
function digests(dataDir: string): Record<string, string> {
  const folder = join(dataDir, REGTEST, 'lmdb');
  const entries = readdirSync(folder).map((name) => {
    const bytes = readFileSync(join(folder, name));
    return [name, createHash('sha256').update(bytes).digest('hex')];
  });
  return Object.fromEntries(entries) as Record<string, string>;
}

/** Prunes the database in a copy of a data folder with monerod's own program; returns the copy. */
async function prunedCopy(dataDir: string): Promise<string> {
  const copy = await copyFolder(dataDir, 'pruned');
  const program = requireProgram('monero-blockchain-prune');
  const args = ['--data-dir', join(copy, REGTEST), '--log-level', '0'];
  await run({ name: 'monero-blockchain-prune', program, cwd: copy, args }, TIMEOUT);
  return copy;
}

/** Compares every block, transaction, output, key image and the state of the chain. */
async function compareChains(ours: RunningNode, theirs: RunningNode): Promise<void> {
  const compare = new Comparison(ours.rpc, theirs.rpc);
  await compare.path('/get_info');
  await compare.call('hard_fork_info', {});
  for (let height = 0; height < blocks.length; height++)
    await compare.call('get_block', { height });
  for (const txs_hashes of chunks(txIds, 60)) {
    await compare.path('/get_transactions', { txs_hashes, decode_as_json: true });
    await compare.path('/get_transactions', { txs_hashes, prune: true, split: true });
  }
  const [list] = (await theirs.rpc.call('get_output_histogram', { amounts: [0] }))[
    'histogram'
  ] as JsonObject[];
  const count = numberOf(list ?? {}, 'total_instances');
  const outputs = Array.from({ length: count }, (_, index) => ({ amount: 0, index }));
  for (const part of chunks(outputs, 1000)) {
    await compare.path('/get_outs', { outputs: part, get_txid: true });
  }
  await compare.call('get_output_distribution', { amounts: [0], binary: false });
  for (const key_images of chunks(keyImages, 500)) {
    await compare.path('/is_key_image_spent', { key_images });
  }
}

describeWithMonero("the chain of monerod's own database", () => {
  const { height, topId } = chainFacts();
  let source: string;
  let dataDir: string;

  beforeAll(async () => {
    source = await monerodDataWithChain();
    dataDir = newFolder('moved-in');
  }, 300_000);

  test.each(['SIGINT', 'SIGTERM'] as const)(
    'is imported in two parts after %s',
    async (signal) => {
      const folder = newFolder('interrupted');
      const words = ['--from-monerod', source, '--batch-size', '20'];
      const started = await ManagedProcess.start(chainTool(folder, 'import', words));
      await waitUntil('the import', () => started.output().includes('importing from'));
      await sleep(3000);
      process.kill(started.pid, signal);
      expect(await started.exited).toEqual({ code: INTERRUPTED, signal: null });
      const [, first] = importedIn(started.output());
      expect(first).toBeGreaterThan(1);
      expect(first).toBeLessThan(height);
      const { code, output } = await importFrom(source, folder, UNVERIFIED);
      expect(code).toBe(0);
      expect(importedIn(output)).toEqual([height - first, height]);
    },
    120_000,
  );

  test('is imported despite ten kills, and the source stays unchanged', async () => {
    const before = digests(source);
    const tool = chainTool(dataDir, 'import', [
      ...['--from-monerod', source, '--batch-size', '20', '--block-stop', String(VERIFIED)],
    ]);
    for (let kill = 0; kill < 10; kill++) {
      const started = await ManagedProcess.start(tool);
      await sleep(random.integer(500, 1600));
      await started.kill();
    }
    expect(await importFrom(source, dataDir, '--block-stop', String(VERIFIED))).toMatchObject({
      code: 0,
    });
    // Other suites verify the whole chain; here the rest is imported without verification.
    const rest = await importFrom(source, dataDir, UNVERIFIED);
    expect(rest).toMatchObject({ code: 0 });
    expect(rest.output).toContain(`the chain has ${height} blocks`);
    expect(digests(source)).toEqual(before);
  }, 240_000);

  describe('is the same chain', () => {
    let ours: RunningNode;
    let theirs: RunningNode;

    beforeAll(async () => {
      theirs = await startMonerod({ dataDir: source, offline: true });
      ours = await startOurDaemon({ dataDir, offline: true });
    }, 120_000);
    afterAll(async () => {
      await ours.stop();
      await theirs.stop();
    });

    test('in every block, transaction, output, key image and field of get_info', async () => {
      expect(await ours.tip()).toEqual({ height, id: topId });
      await compareChains(ours, theirs);
    }, 120_000);

    test('and is not imported while monerod runs', async () => {
      const { code, output } = await importFrom(source, newFolder('refused'));
      expect(code).toBe(1);
      expect(output).toContain(`is in use by process ${theirs.process.pid}: stop monerod first`);
    }, 30_000);
  });

  test('is trusted where the groups of its blocks match', async () => {
    const hashes = join(newFolder('hashes'), HASHES);
    await run(chainTool(dataDir, 'block-hashes', ['--output-file', hashes]), TIMEOUT);
    const trusted = newFolder('trusted');
    const stop = ['--block-stop', '1100', '--block-hashes-file', hashes];
    const { code, output } = await importFrom(source, trusted, ...stop);
    expect(code).toBe(0);
    expect(output).toContain('Blocks below height 1024 are trusted');
    const wrong = readFileSync(hashes);
    wrong.writeUInt8(wrong.readUInt8(40) ^ 1, 40);
    writeFileSync(hashes, wrong);
    const refused = await importFrom(source, newFolder('wrong'), '--block-hashes-file', hashes);
    expect(refused.code).toBe(1);
    expect(refused.output).toContain("blocks 0 to 511 of monerod's database are not those");
  }, 120_000);

  test('keeps the pruning seed of a copy that monerod has pruned', async () => {
    const pruned = await prunedCopy(source);
    const ourDir = newFolder('pruned-ours');
    expect((await importFrom(pruned, ourDir, UNVERIFIED)).code).toBe(0);
    const theirs = await startMonerod({ dataDir: pruned, offline: true });
    const ours = await startOurDaemon({ dataDir: ourDir, offline: true });
    expect(await ours.tip()).toEqual({ height, id: topId });
    const compare = new Comparison(ours.rpc, theirs.rpc);
    await compare.call('prune_blockchain', { check: true });
    await ours.stop();
    await theirs.stop();
  }, 120_000);

  test('is named by a daemon without a chain of its own', async () => {
    const copy = await copyFolder(source, 'hint');
    const daemon = await startOurDaemon({ dataDir: copy, offline: true });
    expect(await daemon.stop()).toBe(0);
    const said = daemon.process.output();
    const typed = `npm run chain -- import --regtest --data-dir ${copy} --from-monerod ${join(copy, REGTEST)}`;
    expect(said).toContain(typed);
  }, 60_000);

  test('ends with status 1 and a sentence when the file is damaged', async () => {
    const damaged = await copyFolder(source, 'damaged');
    const file = join(damaged, REGTEST, 'lmdb', 'data.mdb');
    const whole = readFileSync(file);
    const changes: readonly [string, () => void][] = [
      ['a truncated file', () => truncateSync(file, 3_000_000)],
      ['an empty file', () => truncateSync(file, 0)],
      [
        'zeros in the middle',
        () => writeFileSync(file, Buffer.from(whole).fill(0, 100 * 4096, 900 * 4096)),
      ],
      [
        'pages in other places',
        () => {
          const copy = Buffer.from(whole);
          whole.copy(copy, 600 * 4096, 300 * 4096, 500 * 4096);
          writeFileSync(file, copy);
        },
      ],
    ];
    for (const [what, change] of changes) {
      writeFileSync(file, whole);
      change();
      const { code, output } = await importFrom(damaged, newFolder('from-damaged'), UNVERIFIED);
      expect({ what, code }).toEqual({ what, code: 1 });
      expect(output).toMatch(/monerod('s database)? is damaged/);
    }
  }, 120_000);
});

const LONG = process.env['E2E_LONG'] === '1';
const describeLong = LONG ? describeWithMonero : skipLong;

function skipLong(name: string, body: () => void): void {
  process.stderr.write(`skipped: ${name}: takes minutes; set E2E_LONG=1 to run it\n`);
  describe.skip(`${name} (skipped: E2E_LONG is not set)`, body);
}

describeLong('a pruned database of monerod that lacks most transactions', () => {
  let source: string;
  let hashes: string;
  let seed: number;

  beforeAll(async () => {
    const whole = await monerodDataWithLongChain();
    hashes = join(await ourDataWithLongChain(), HASHES);
    do {
      source = await prunedCopy(whole);
      const said = await importFrom(source, newFolder('seed'), '--block-stop', '0');
      seed = Number(/pruned with seed (\d+)/.exec(said.output)?.[1]);
      // That stripe holds all of our transactions.
    } while (seed === SEED_OF_FIRST_STRIPE);
  }, 600_000);

  test.each([
    ['with trusted groups', () => ['--block-hashes-file', hashes]],
    ['without verification', () => [UNVERIFIED]],
  ])(
    'becomes an equal chain %s',
    async (_, options) => {
      const dataDir = newFolder('pruned-ours');
      const { code, output } = await importFrom(source, dataDir, ...options());
      expect(code).toBe(0);
      expect(output).toContain(`the chain is pruned, with seed ${seed}`);
      const theirs = await startMonerod({ dataDir: source, offline: true });
      const ours = await startOurDaemon({ dataDir, offline: true });
      const { chain } = longChain();
      expect(await ours.tip()).toEqual({ height: chain.height, id: chain.topId });
      const answer = await ours.rpc.call('prune_blockchain', { check: true });
      expect(answer).toMatchObject({ pruned: true, pruning_seed: seed, status: 'OK' });
      await compareChains(ours, theirs);
      await ours.stop();
      await theirs.stop();
    },
    240_000,
  );

  test('is imported up to the first block that cannot be verified', async () => {
    const first = blocks.findIndex(({ txs }) => txs.length > 0);
    const dataDir = newFolder('pruned-part');
    const { code, output } = await importFrom(source, dataDir);
    expect(code).toBe(0);
    expect(output).toContain(`block ${first} cannot be verified without what is missing`);
    expect(output).toContain(`the chain has ${first} blocks`);
  }, 120_000);
});
