import { spawnSync } from 'node:child_process';
import { cpSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { recordedBlocks, chainFacts } from '../chain/fixture.ts';
import { compileFaults, FaultControl, type CallKind, type Fault } from '../faults/fault-control.ts';
import { chainFolder, KnownChain, makeOld, withStore } from '../faults/stored-facts.ts';
import { describeWithMonero } from '../harness/describe-with-monero.ts';
import { mine, startMonerod, waitForSameTip, type RunningNode } from '../harness/monerod.ts';
import { launchOurDaemon, startOurDaemon } from '../harness/our-daemon.ts';
import { monerodDataWithChain } from '../harness/prepared-chains.ts';
import { newFolder, runHome } from '../harness/run-folder.ts';
import { sleep } from '../harness/wait.ts';
import { Random } from '../recorder/random.ts';

const LONG = process.env['E2E_LONG'] === '1';
const FAULTS = Number(process.env['E2E_FAULTS'] ?? (LONG ? 200 : 10));
const BLOCKS = LONG ? chainFacts().height : 300;
/** Blocks that our own branch replaces, and has. */
const [FORK_DEPTH, OWN_BLOCKS] = [30, 12] as const;
const LONGEST_LIFE = 90_000;

/** The sentences with which the daemon may end, or go on, after a fault. */
const SENTENCES =
  /disk that holds .+ is full \(\d+ bytes free\)|cannot be read or written \(input\/output error\)|may open no more files|cannot (write|rotate)/;

type Phase = 'synchronisation' | 'reorganisation' | 'migration' | 'pruning';
const PHASES: readonly Phase[] = ['synchronisation', 'reorganisation', 'migration', 'pruning'];

const library = compileFaults(runHome());
if (library === undefined) process.stderr.write('skipped: 27-survive-faults needs Linux and cc\n');
const describeFaults: typeof describeWithMonero =
  library === undefined
    ? () => test.skip('needs Linux and a C compiler', () => undefined)
    : describeWithMonero;

describeFaults('our daemon survives failing disks', () => {
  const seed = Number(process.env['E2E_SEED'] ?? Date.now() % 1_000_000);
  const random = new Random(seed);
  const known = new KnownChain(recordedBlocks().slice(0, BLOCKS));
  const counts: Record<string, number> = {};
  let monerod: RunningNode;
  let control: FaultControl;
  /** The whole chain, and our own branch; both stopped. */
  let synced: string;
  let branch: string;

  beforeAll(async () => {
    control = new FaultControl(library ?? '', join(newFolder('control'), 'control'));
    monerod = await startMonerod({
      dataDir: await monerodDataWithChain(LONG ? undefined : BLOCKS),
    });
    const tip = await monerod.tip();
    expect(tip.id).toBe(known.blocks[tip.height - 1]?.id.toString('hex'));
    synced = newFolder('synced');
    const node = await startOurDaemon({ dataDir: synced, peers: [monerod.p2p] });
    await waitForSameTip(node, tip, 400_000);
    await node.stop();
    branch = copyOf(synced);
    await withStore(branch, (store) => store.commit({ popTo: BLOCKS - FORK_DEPTH }));
    const miner = await startOurDaemon({ dataDir: branch, offline: true });
    await mine(miner, OWN_BLOCKS, chainFacts().wallets[0]?.address ?? '');
    await miner.stop();
  }, 600_000);

  afterAll(() => monerod.stop());

  function copyOf(folder: string): string {
    const copy = newFolder('faulty');
    cpSync(folder, copy, { recursive: true });
    return copy;
  }

  function randomFault(): Fault {
    const code = random.choice(['ENOSPC', 'EIO', 'EMFILE'] as const);
    const all: CallKind[] = ['write', 'flush', 'rename', 'truncate', 'open'];
    const disk = random.choice<readonly CallKind[]>([
      all,
      ['write'],
      ['flush'],
      ['write', 'flush'],
    ]);
    return {
      code,
      kinds: code === 'EMFILE' ? ['open'] : disk,
      after: random.integer(0, random.choice([3, 20, 100])),
      stays: code !== 'EIO' && random.next() < 0.5,
    };
  }

  /** Makes work for a node that had the whole chain; returns its data folder. */
  async function workFor(phase: Phase): Promise<string> {
    const dataDir = copyOf(phase === 'reorganisation' ? branch : synced);
    if (phase === 'reorganisation') return dataDir;
    await withStore(dataDir, (store) => store.commit({ popTo: BLOCKS - random.integer(5, 60) }));
    if (phase === 'migration') await makeOld(dataDir, random.choice([1, 2]));
    return dataDir;
  }

  /** Lets our daemon run until it ends or has monerod's chain; returns its exit status and output. */
  async function live(dataDir: string): Promise<{ code: number | null; output: string }> {
    const node = await launchOurDaemon({
      dataDir,
      name: 'faulty',
      peers: [monerod.p2p],
      env: control.environment(dataDir),
    });
    const end = Date.now() + LONGEST_LIFE;
    const atTop = async (): Promise<boolean> => {
      const tip = await node.tip().catch(() => undefined);
      return tip?.height === BLOCKS && tip.id === known.blocks[BLOCKS - 1]?.id.toString('hex');
    };
    while (node.process.running && !(await atTop())) {
      if (Date.now() > end) throw new Error(`no end and no progress:\n${node.process.tail(40)}`);
      await sleep(50);
    }
    const code = await node.stop();
    return { code, output: node.process.output() };
  }

  /** Runs the tool that prunes, with faults. */
  function prune(dataDir: string): { code: number | null; output: string } {
    const tool = fileURLToPath(new URL('../faults/prune-store.mjs', import.meta.url));
    const { status, stdout, stderr } = spawnSync(
      process.execPath,
      [tool, chainFolder(dataDir), String(random.integer(1, BLOCKS - 60))],
      {
        encoding: 'utf8',
        env: { ...process.env, NODE_OPTIONS: '', ...control.environment(dataDir) },
      },
    );
    return { code: status, output: `${stdout}${stderr}` };
  }

  /** Injects one fault; returns whether a call failed. */
  async function oneFault(phase: Phase): Promise<boolean> {
    const dataDir = phase === 'pruning' ? copyOf(synced) : await workFor(phase);
    const fault = randomFault();
    control.arm(fault);
    const { code, output } = phase === 'pruning' ? prune(dataDir) : await live(dataDir);
    const { failed } = control;
    control.disarm();
    const what = `${phase} ${JSON.stringify(fault)} at ${failed}: status ${code}\n${output.slice(-3000)}`;
    try {
      // 74: a storage error. 0: it went on. 1: it did not start, for example without a log.
      expect([0, 1, 74]).toContain(code);
      if (code !== 0 || output.includes('io: ')) expect(output).toMatch(SENTENCES);
      await restartAndCompare(phase, dataDir);
    } catch (error) {
      throw new Error(`${String(error)}\n${what}`, { cause: error });
    }
    if (failed !== undefined) {
      const key = `${phase}: ${failed} ${fault.code}: ${code === 0 ? 'went on' : `status ${code}`}`;
      counts[key] = (counts[key] ?? 0) + 1;
    }
    rmSync(dataDir, { recursive: true });
    return failed !== undefined;
  }

  /** Opens what the fault left, without faults, and compares every block with the chain of monerod. */
  async function restartAndCompare(phase: Phase, dataDir: string): Promise<void> {
    const height = await withStore(dataDir, (store) => {
      const ownBranch =
        phase === 'reorganisation' &&
        store.heightOf(known.blocks[BLOCKS - 1]?.id ?? Buffer.alloc(32)) === undefined;
      if (!ownBranch) return known.check(store);
      // Still on its own branch: all of it must be there.
      expect(store.height).toBe(BLOCKS - FORK_DEPTH + OWN_BLOCKS);
      return undefined;
    });
    if (phase === 'pruning') expect(height).toBe(BLOCKS);
    else if (height !== undefined) expect(height).toBeGreaterThanOrEqual(BLOCKS - 60);
    // Every few faults also with the real daemon, to the end.
    if (phase === 'pruning' || random.next() > 0.15) return;
    const node = await startOurDaemon({ dataDir, peers: [monerod.p2p] });
    await waitForSameTip(node, await monerod.tip(), 120_000);
    expect(await node.stop()).toBe(0);
    await withStore(dataDir, (store) => expect(known.check(store)).toBe(BLOCKS));
  }

  test(
    `${FAULTS} faults: nothing is lost, and the daemon goes on or names the cause (E2E_SEED=${seed})`,
    async () => {
      for (let injected = 0, tries = 0; injected < FAULTS; tries++) {
        if (await oneFault(PHASES[tries % PHASES.length] ?? 'pruning')) injected++;
        if (injected % 20 === 0) process.stderr.write(`${injected} faults of ${tries + 1} lives\n`);
        expect(tries).toBeLessThan(10 * FAULTS + 20);
      }
      console.info(JSON.stringify(counts, null, 1));
    },
    LONG ? 3_600_000 : 300_000,
  );
});
