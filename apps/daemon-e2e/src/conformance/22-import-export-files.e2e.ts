import { readFileSync, statSync, truncateSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { blockId, parseLooseBlock } from '../chain/block.ts';
import { CHAIN_FILE, chainFacts, recordedBlocks } from '../chain/fixture.ts';
import { OUR_DAEMON, requireProgram } from '../harness/binaries.ts';
import { newFolder } from '../harness/run-folder.ts';
import { startMonerod, waitForSameTip } from '../harness/monerod.ts';
import { startOurDaemon, verifiedCounts } from '../harness/our-daemon.ts';
import { monerodDataWithChain, SYNC_TIMEOUT } from '../harness/prepared-chains.ts';
import { ManagedProcess, run } from '../harness/processes.ts';
import { describeWithMonero } from '../harness/describe-with-monero.ts';
import { sleep } from '../harness/wait.ts';
import { Random } from '../recorder/random.ts';

const CHAIN_TOOL = join(dirname(OUR_DAEMON), 'chain-tool.js');
/** Height up to which imports verify, to keep this short. */
const VERIFIED = 300;
const NETWORK = ['--regtest', '--fixed-difficulty', '1'];

function tool(dataDir: string, command: string, ...args: string[]) {
  return {
    name: `chain-${command}`,
    program: process.execPath,
    cwd: dataDir,
    args: [CHAIN_TOOL, command, ...NETWORK, '--data-dir', dataDir, ...args],
    env: { NODE_OPTIONS: '' },
  };
}

const importAll = (dataDir: string, file = CHAIN_FILE, ...more: string[]) =>
  run(tool(dataDir, 'import', '--input-file', file, ...more), SYNC_TIMEOUT);

describeWithMonero('bootstrap files', () => {
  const { height, topId } = chainFacts();
  const tip = { height, id: topId };
  let folder: string;
  let exported: string;

  beforeAll(async () => {
    folder = newFolder('imported');
    exported = join(folder, 'exported.raw');
  });

  test("an import of monero-blockchain-export's file completes despite kills", async () => {
    const random = new Random(Number(process.env['E2E_SEED'] ?? Date.now() % 1_000_000));
    const stop = ['--block-stop', String(VERIFIED)];
    for (let kill = 0; kill < 4; kill++) {
      const started = await ManagedProcess.start(
        tool(folder, 'import', '--input-file', CHAIN_FILE, '--batch-size', '20', ...stop),
      );
      await sleep(random.integer(600, 2100));
      await started.kill();
    }
    await importAll(folder, CHAIN_FILE, ...stop);
    // Other suites verify the whole chain; here the rest is imported without verification.
    await importAll(folder, CHAIN_FILE, '--dangerous-unverified-import');
    const daemon = await startOurDaemon({ dataDir: folder, offline: true });
    expect(await daemon.tip()).toEqual(tip);
    expect(await daemon.stop()).toBe(0);
  }, 300_000);

  test('our export equals that of monero-blockchain-export byte for byte', async () => {
    await run(tool(folder, 'export', '--output-file', exported), 120_000);
    expect(readFileSync(exported).equals(readFileSync(CHAIN_FILE))).toBe(true);
  }, 120_000);

  test('a truncated export is continued', async () => {
    truncateSync(exported, statSync(exported).size - 100_001);
    await run(tool(folder, 'export', '--output-file', exported), 120_000);
    expect(readFileSync(exported).equals(readFileSync(CHAIN_FILE))).toBe(true);
  }, 120_000);

  test('monero-blockchain-import imports our file', async () => {
    const dataDir = newFolder('monerod-imported');
    await run(
      {
        name: 'monero-blockchain-import',
        program: requireProgram('monero-blockchain-import'),
        cwd: dataDir,
        args: [
          ...['--keep-fakechain', '--offline', ...NETWORK, '--data-dir', dataDir],
          ...['--input-file', exported, '--log-level', '0', '--block-stop', String(VERIFIED)],
        ],
      },
      SYNC_TIMEOUT,
    );
    const monerod = await startMonerod({ dataDir, offline: true });
    const last = parseLooseBlock(recordedBlocks()[VERIFIED]?.block ?? Buffer.alloc(0));
    expect(await monerod.tip()).toEqual({
      height: VERIFIED + 1,
      id: blockId(last).toString('hex'),
    });
    await monerod.stop();
  }, 300_000);

  test('with --block-hashes-file the chain is synchronized without verification', async () => {
    const hashes = join(folder, 'hashes.dat');
    await run(tool(folder, 'block-hashes', '--output-file', hashes), 60_000);
    const groups = Math.floor(height / 512);
    expect(statSync(hashes).size).toBe(4 + 64 * groups);
    const monerod = await startMonerod({ dataDir: await monerodDataWithChain() });
    const daemon = await startOurDaemon({
      name: 'fast',
      peers: [monerod.p2p],
      extra: ['--block-hashes-file', hashes],
    });
    await waitForSameTip(daemon, tip, SYNC_TIMEOUT);
    expect(await daemon.stop()).toBe(0);
    await monerod.stop();
    const known = groups * 512 - 1;
    const counts = verifiedCounts(daemon.process.output());
    expect(counts).toMatchObject({ known, pow: height - 1 - known });
  }, 200_000);
});
