import { existsSync, readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from '@jest/globals';
import { CHAIN_FILE, chainFacts } from '../chain/fixture.ts';
import { requireProgram } from '../harness/binaries.ts';
import { chainTool, ending, type Ending } from '../harness/chain-tool.ts';
import { describeWithMonero } from '../harness/describe-with-monero.ts';
import { mine, startMonerod, type Tip } from '../harness/monerod.ts';
import { startOurDaemon } from '../harness/our-daemon.ts';
import { SYNC_TIMEOUT } from '../harness/prepared-chains.ts';
import { ManagedProcess, run } from '../harness/processes.ts';
import { newFolder } from '../harness/run-folder.ts';
import { waitUntil } from '../harness/wait.ts';

/** Height of our chain, which has transactions: short, as monerod verifies it. */
const LAST = 300;
const TIMEOUT = 120_000;
/** Exit status of the chain tool that a signal interrupted. */
const INTERRUPTED = 130;

describeWithMonero('going back to monerod', () => {
  let ours: string;
  let tip: Tip;
  const target = join(newFolder('back'), 'monerod');
  const exported = join('fake', 'export', 'blockchain.raw');

  /** Imports the recorded chain into a new folder of ours. */
  async function ourChain(...options: string[]): Promise<string> {
    const folder = newFolder('ours');
    const source = ['--input-file', CHAIN_FILE, '--dangerous-unverified-import'];
    await run(chainTool(folder, 'import', [...source, ...options]), SYNC_TIMEOUT);
    return folder;
  }

  const exportTo = (folder: string, dataDir = ours): Promise<Ending> =>
    ending(chainTool(dataDir, 'export', ['--to-monerod', folder]), TIMEOUT);

  beforeAll(async () => {
    ours = await ourChain('--block-stop', String(LAST));
    const daemon = await startOurDaemon({ dataDir: ours, offline: true });
    tip = await daemon.tip();
    expect(await daemon.stop()).toBe(0);
    expect(tip.height).toBe(LAST + 1);
  }, SYNC_TIMEOUT);

  test(
    'the printed command imports our chain, and monerod starts on it and takes a block',
    async () => {
      const { code, output } = await exportTo(target);
      expect([code, output]).toEqual([0, expect.stringContaining(`${LAST + 1} blocks written to`)]);
      const line = /^ {2}monero-blockchain-import (.*)$/m.exec(output)?.[1] ?? '';
      // Neither changes what is imported: the tests ask nobody, and the log is short.
      const more = ['--offline', '--disable-dns-checkpoints', '--log-level', '0'];
      await run(
        {
          name: 'monero-blockchain-import',
          program: requireProgram('monero-blockchain-import'),
          cwd: target,
          args: [...line.split(' '), '--check-updates', 'disabled', ...more],
        },
        SYNC_TIMEOUT,
      );
      const monerod = await startMonerod({ dataDir: target, offline: true });
      expect(await monerod.tip()).toEqual(tip);
      const [owner] = chainFacts().wallets;
      expect(await mine(monerod, 1, owner?.address ?? '')).toBe(tip.height + 1);
      await monerod.stop();
    },
    2 * SYNC_TIMEOUT,
  );

  test(
    'a folder that holds something and a pruned chain are refused, and nothing is written',
    async () => {
      const refused = await exportTo(target);
      expect(refused).toMatchObject({ code: 1, output: expect.stringContaining('is not empty') });
      const pruned = await ourChain('--prune-blockchain', '--block-stop', '20');
      const folder = join(newFolder('back'), 'monerod');
      const { code, output } = await exportTo(folder, pruned);
      expect([code, output]).toEqual([1, expect.stringContaining('this chain is pruned')]);
      expect(existsSync(folder)).toBe(false);
    },
    TIMEOUT,
  );

  test(
    'a signal leaves nothing, or the whole file when it comes too late',
    async () => {
      const folder = newFolder('interrupted');
      const tool = await ManagedProcess.start(chainTool(ours, 'export', ['--to-monerod', folder]));
      await waitUntil('the export to begin', () => !tool.running || readdirSync(folder).length > 0);
      const code = await tool.stop();
      expect([0, INTERRUPTED]).toContain(code);
      if (code === INTERRUPTED) expect(readdirSync(folder)).toEqual([]);
      else
        expect(statSync(join(folder, exported)).size).toBe(statSync(join(target, exported)).size);
    },
    TIMEOUT,
  );
});
