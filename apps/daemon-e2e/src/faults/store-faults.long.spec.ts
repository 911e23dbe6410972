import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { sampleSize } from '@monero-node/base/testing';
import { recordedBlocks } from '../chain/fixture.ts';
import { Random } from '../recorder/random.ts';
import { compileFaults, FaultControl, type CallKind } from './fault-control.ts';
import { KnownChain, makeOld, withStore } from './known-chain.ts';
import { ownBranch, plainBlocks, type PlainBlock } from './own-branch.ts';
import { randomFault } from './random-fault.ts';

/** `FAULTS=200` makes the long run. */
const FAULTS = Number(process.env['FAULTS'] ?? sampleSize({ usual: 4, whole: 8 }));
/** The chain that the store has in the end; the newest 80 blocks hold transactions. */
const BLOCKS = 260;
/** The height at which our own branch, without transactions, leaves the chain, and its length. */
const FORK = 120;
const OWN_BLOCKS = 15;
const seed = Number(process.env['E2E_SEED'] ?? Date.now() % 1_000_000);

type Phase = 'synchronization' | 'reorganization' | 'migration' | 'pruning';
const PHASES: readonly Phase[] = ['synchronization', 'reorganization', 'migration', 'pruning'];

/** The sentences for the three failures; see describeSystemError. */
const SENTENCES: Record<string, RegExp> = {
  ENOSPC: /disk that holds .+ is full \(\d+ bytes free\): free some space/,
  EIO: /cannot be read or written \(input\/output error\): check the disk/,
  EMFILE: /may open no more files, .*ulimit -n 4096/,
};

interface Answer {
  done?: true;
  /** The process was ended by a fault of memory. */
  died?: true;
  code?: string;
  systemCode?: string;
  message?: string;
}

const outcomeOf = ({ done, died }: Answer): string =>
  died === true ? 'died' : done === true ? 'went on' : 'stopped';

const home = mkdtempSync(join(tmpdir(), 'store-faults-'));
const library = compileFaults(home);
if (library === undefined) process.stderr.write('skipped: store faults need Linux and cc\n');
afterAll(() => rmSync(home, { recursive: true }));

(library === undefined ? describe.skip : describe)('a chain store on a failing disk', () => {
  const random = new Random(seed);
  const recorded = recordedBlocks().slice(0, BLOCKS);
  const known = new KnownChain(recorded);
  const blocks = plainBlocks(recorded);
  const branch = ownBranch(recorded, FORK, OWN_BLOCKS);
  const control = new FaultControl(library ?? '', join(home, 'control'));
  const counts: Record<string, number> = {};
  let worker: ChildProcess;

  const folder = (name: string): string => join(home, 'stores', name);

  /** As the daemon does, the worker ends after a failed write. */
  function startWorker(): void {
    worker = fork(fileURLToPath(new URL('./fault-worker.mjs', import.meta.url)), {
      env: { ...process.env, NODE_OPTIONS: '', ...control.environment(join(home, 'stores')) },
      execArgv: [],
      serialization: 'advanced',
    });
  }

  async function ask(request: {
    phase: Phase;
    path: string;
    blocks?: readonly PlainBlock[];
    prune?: readonly number[];
  }): Promise<Answer> {
    const waiting = new AbortController();
    const { signal } = waiting;
    const ended = once(worker, 'exit', { signal }).then(([code, by]) => {
      // LMDB's clean-up after a failed write sometimes damages its memory. Nothing may be lost by that either.
      if (by === 'SIGABRT' || by === 'SIGSEGV') return [{ died: true }] as [Answer];
      throw new Error(`the worker ended: ${String(code)} ${String(by)}`);
    });
    const answered = once(worker, 'message', { signal }) as Promise<[Answer]>;
    worker.send(request);
    try {
      const [answer] = await Promise.race([answered, ended]);
      return answer;
    } finally {
      ended.catch(() => undefined);
      answered.catch(() => undefined);
      waiting.abort();
    }
  }

  beforeAll(async () => {
    startWorker();
    const phase = 'synchronization';
    expect(await ask({ phase, path: folder('all'), blocks: blocks.slice(1) })).toEqual({
      done: true,
    });
    cpSync(folder('all'), folder('branch'), { recursive: true });
    await withStore(folder('branch'), (store) => store.commit({ popTo: FORK }));
    expect(await ask({ phase, path: folder('branch'), blocks: branch })).toEqual({ done: true });
    expect(await withStore(folder('all'), (store) => known.check(store))).toBe(BLOCKS);
  }, 120_000);

  afterAll(() => void worker.kill('SIGKILL'));

  /** Makes a store that is in need of the phase, and lets the worker do it with one fault. */
  async function oneFault(phase: Phase): Promise<boolean> {
    const path = folder('faulty');
    rmSync(path, { recursive: true, force: true });
    cpSync(folder(phase === 'reorganization' ? 'branch' : 'all'), path, { recursive: true });
    const from = random.integer(BLOCKS - 60, BLOCKS - 5);
    if (phase === 'synchronization' || phase === 'migration')
      await withStore(path, (store) => store.commit({ popTo: from }));
    if (phase === 'migration') await makeOld(path, random.choice([1, 2]));
    const toAdd =
      phase === 'reorganization' ? blocks.slice(FORK, FORK + OWN_BLOCKS + 3) : blocks.slice(from);
    const prune = Array.from({ length: 40 }, (_, i) => from - 40 + i);
    const fault = randomFault(random);
    control.arm(fault);
    let answer: Answer = {};
    let failed: CallKind | undefined;
    try {
      answer = await ask({ phase, path, blocks: toAdd, prune });
      failed = control.failed;
      control.disarm();
      if (answer.done !== true) {
        worker.kill('SIGKILL');
        startWorker();
      }
      if (answer.done !== true && answer.died !== true) {
        expect(answer).toMatchObject({ code: 'io', systemCode: fault.code });
        expect(answer.message).toMatch(SENTENCES[fault.code] ?? /never/);
      }
      await restartAndCompare(phase, path, answer.done === true, from);
    } catch (error) {
      throw new Error(`${phase} ${JSON.stringify({ fault, failed, answer })}: ${String(error)}`, {
        cause: error,
      });
    }
    if (failed === undefined) return false;
    const key = `${phase}, ${failed}, ${fault.code}: ${outcomeOf(answer)}`;
    counts[key] = (counts[key] ?? 0) + 1;
    return true;
  }

  /** Opens what the fault left, and compares all of it with the chain of monerod. */
  async function restartAndCompare(
    phase: Phase,
    path: string,
    done: boolean,
    from: number,
  ): Promise<void> {
    await withStore(path, async (store) => {
      const onBranch = phase === 'reorganization' && store.height === FORK + OWN_BLOCKS;
      if (onBranch) {
        expect(done).toBe(false);
        branch.forEach(({ block }, i) =>
          expect(Buffer.from(store.blockBlob(FORK + i) ?? [])).toEqual(Buffer.from(block)),
        );
        await store.commit({ popTo: FORK, removeAlt: store.altBlocks().map(({ id }) => id) });
      }
      const height = known.check(store);
      if (phase === 'pruning') expect(height).toBe(BLOCKS);
      else if (phase !== 'reorganization') expect(height).toBeGreaterThanOrEqual(from);
      else if (!onBranch) expect(height).toBeGreaterThan(FORK + OWN_BLOCKS);
      if (done && phase !== 'reorganization') expect(height).toBe(BLOCKS);
    });
    if (phase === 'pruning') return;
    // The work can be finished now.
    const height = await withStore(path, (store) => store.height);
    const rest = { phase: 'synchronization' as const, path, blocks: blocks.slice(height) };
    expect(await ask(rest)).toEqual({ done: true });
    expect(await withStore(path, (store) => known.check(store))).toBe(BLOCKS);
  }

  test(`after each of ${FAULTS} failed calls nothing is lost (E2E_SEED=${seed})`, async () => {
    for (let injected = 0, tries = 0; injected < FAULTS; tries++) {
      if (await oneFault(PHASES[tries % PHASES.length] ?? 'pruning')) injected++;
      expect(tries).toBeLessThan(10 * FAULTS + 20);
    }
    if (FAULTS > 10) process.stderr.write(`${JSON.stringify(counts, null, 1)}\n`);
    expect(Object.keys(counts).some((key) => key.endsWith('stopped'))).toBe(true);
  }, 1_800_000);
});
