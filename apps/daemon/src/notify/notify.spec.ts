import { spawn, type ChildProcess } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { jest } from '@jest/globals';
import { silentLogger } from '@monero-node/base';
import type { AddedBlock, ChainEvents } from '@monero-node/blockchain';
import { NETWORKS } from '@monero-node/consensus';
import type { LedgerEntry, LedgerEvents } from '@monero-node/miner';
import { createMemoryStore } from '@monero-node/storage';
import { whenChanged } from '../testing/when-changed.ts';
import { blockRateAlarm, probability } from './block-rate.ts';
import { Notifications, notifyPrograms, type NotifyDependencies } from './notifications.ts';
import { NotifyProgram, NotifyProgramError } from './notify-program.ts';

describe('notification programs', () => {
  let dir: string;
  let script: string;
  let out: string;
  let started: ChildProcess[];
  beforeEach(() => {
    started = [];
    dir = mkdtempSync(join(tmpdir(), 'notify-'));
    script = join(dir, 'program');
    out = join(dir, 'out');
    writeFileSync(
      script,
      `#!/bin/sh\nout=$1; shift\nfor a in "$@"; do echo "<$a>" >> "$out"; done\necho "home=$HOME" >> "$out"\n`,
      { mode: 0o755 },
    );
  });
  afterEach(() => {
    // A test that failed has left programs that wait.
    for (const child of started) child.kill();
    rmSync(dir, { recursive: true });
  });

  /** Returns the lines that programs have written, once there are enough. */
  const lines = (count: number): Promise<string[]> =>
    whenChanged(dir, () => {
      const found = existsSync(out) ? readFileSync(out, 'utf8').trim().split('\n') : [];
      return found.length >= count ? found : undefined;
    });

  /** Returns a program whose processes are added to `started`. */
  function counted(specification: string, logger = silentLogger): NotifyProgram {
    const spawnCounted = (...parameters: Parameters<typeof spawn>): ChildProcess => {
      const child = spawn(...parameters);
      started.push(child);
      return child;
    };
    return new NotifyProgram('x', specification, logger, spawnCounted as typeof spawn);
  }

  test('get arguments split at blanks, with values inserted, without shell or environment', async () => {
    const program = new NotifyProgram('x', `${script} ${out}\t%s  a%h%h "q $(id) %d`, silentLogger);
    program.run({ s: '$HOME;x y', h: '7', d: '%s$&' });
    // Blanks and percent signs inside a value have no meaning.
    expect(await lines(6)).toEqual(['<$HOME;x y>', '<a77>', '<"q>', '<$(id)>', '<%s$&>', 'home=']);
  });

  test('values are inserted at once: a place inside of one stays as it is', async () => {
    const program = new NotifyProgram('x', `${script} ${out} %%a %b %c`, silentLogger);
    program.run({ a: '%b', b: '%a' });
    expect(await lines(4)).toEqual(['<%%b>', '<%a>', '<%c>', 'home=']);
  });

  test.each([['/nonexistent/program %s'], ['  /bin/sh'], [''], ['/tmp']])(
    'are refused if the command line is "%s"',
    (specification) => {
      const make = () => new NotifyProgram('block-notify', specification, silentLogger);
      expect(make).toThrow(NotifyProgramError);
      expect(make).toThrow('--block-notify: File not found: ');
    },
  );

  test('cause a warning for quotes', () => {
    const warn = jest.fn();
    new NotifyProgram('x', `${script} 'a b'`, { ...silentLogger, warn });
    expect(warn).toHaveBeenCalledWith(expect.stringContaining('quotes'));
  });

  test('run at most eight at a time, and the others later', async () => {
    // Each run adds a line, waits for the gate and adds another.
    writeFileSync(
      script,
      `#!/bin/sh\necho begin >> "$1"\nwhile [ ! -e "$2" ]; do /bin/sleep 0.02; done\necho end >> "$1"\n`,
    );
    const gate = join(dir, 'gate');
    const program = counted(`${script} ${out} ${gate}`);
    for (let i = 0; i < 12; i++) program.run({});
    expect(started).toHaveLength(8);
    expect(await lines(8)).toEqual(new Array(8).fill('begin'));
    expect(started).toHaveLength(8);
    writeFileSync(gate, '');
    const all = await lines(24);
    expect(all.filter((line) => line === 'end')).toHaveLength(12);
  });

  test('do not run after the stop, and are dropped with a warning if too many wait', async () => {
    writeFileSync(script, `#!/bin/sh\necho begin >> "$1"\n`);
    const warn = jest.fn();
    const program = counted(`${script} ${out}`, { ...silentLogger, warn });
    for (let i = 0; i < 10_009; i++) program.run({});
    expect(warn).toHaveBeenCalledTimes(1);
    program.stop();
    await Promise.all(started.map((child) => once(child, 'exit')));
    expect(started).toHaveLength(8);
    expect(await lines(8)).toHaveLength(8);
  });

  test('that wait are run before an end that waits for them', async () => {
    writeFileSync(script, `#!/bin/sh\necho begin >> "$1"\n`);
    const program = counted(`${script} ${out}`);
    for (let i = 0; i < 12; i++) program.run({});
    await program.finish(2 ** 30);
    expect(started).toHaveLength(12);
    expect(started.map(({ exitCode }) => exitCode)).toEqual(new Array(12).fill(0));
    // Nothing is left to wait for.
    await program.finish(2 ** 30);
  });

  test('that do not end in time are left alone, and those that wait are dropped with a warning', async () => {
    writeFileSync(script, `#!/bin/sh\nexec /bin/sleep 600\n`);
    const warn = jest.fn();
    const program = counted(script, { ...silentLogger, warn });
    for (let i = 0; i < 10; i++) program.run({});
    await program.finish(0);
    expect(started.map(({ killed, exitCode }) => killed || exitCode !== null)).not.toContain(true);
    expect(warn).toHaveBeenCalledWith(expect.stringContaining(': 2 notifications were dropped'));
    const ends = started.map((child) => once(child, 'exit'));
    for (const child of started) child.kill();
    await Promise.all(ends);
    expect(started).toHaveLength(8);
  });

  test('are reported if they cannot be executed, and tried again next time', async () => {
    chmodSync(script, 0o644);
    const log = new EventEmitter();
    const error = jest.fn(() => void log.emit('error line'));
    const program = new NotifyProgram('x', script, { ...silentLogger, error });
    for (let i = 0; i < 20; i++) program.run({});
    while (error.mock.calls.length < 20) await once(log, 'error line');
    expect(error).toHaveBeenCalledTimes(20);
  });

  describe('events of the chain', () => {
    class Chain extends EventEmitter<ChainEvents> {
      readonly height = 0;
      readonly store = createMemoryStore();
      readonly network = NETWORKS.mainnet;
    }
    const added = (fill: number): AddedBlock =>
      ({ meta: { id: new Uint8Array(32).fill(fill) } }) as unknown as AddedBlock;
    const deps = (blockchain: Chain): NotifyDependencies => ({
      blockchain,
      ledger: new EventEmitter<LedgerEvents>(),
      p2p: { synchronized: true },
      offline: false,
      logger: silentLogger,
    });

    test('run a program for each block', async () => {
      const chain = new Chain();
      const notifications = new Notifications(
        notifyPrograms({ block: `${script} ${out} %s` }, silentLogger),
        deps(chain),
      );
      await notifications.start();
      chain.emit('blocks-added', [added(1)]);
      expect(await lines(2)).toEqual([`<${'01'.repeat(32)}>`, 'home=']);
      chain.emit('blocks-added', [added(2), added(3)]);
      expect(await lines(6)).toEqual(
        expect.arrayContaining([`<${'02'.repeat(32)}>`, `<${'03'.repeat(32)}>`]),
      );
      await notifications.stop();
      expect(chain.listenerCount('blocks-added')).toBe(0);
    });

    test('run a program for each reorganization', async () => {
      const chain = new Chain();
      const reorg = `${script} ${out} %s %h %n %d`;
      const notifications = new Notifications(notifyPrograms({ reorg }, silentLogger), deps(chain));
      await notifications.start();
      const bundle = { block: new Uint8Array(0), txs: [] };
      chain.emit('reorg', { splitHeight: 100, removed: [bundle, bundle], added: 3 });
      expect((await lines(5)).slice(0, 4)).toEqual(['<100>', '<103>', '<3>', '<2>']);
      await notifications.stop();
    });

    test('run programs for each block of this node and for each change of its fate', async () => {
      const ledger = new EventEmitter<LedgerEvents>();
      const blockFound = `${script} ${out} %s %h %w %r %f`;
      const blockFate = `${script} ${out} %f %s %h`;
      const programs = notifyPrograms({ blockFound, blockFate }, silentLogger);
      const notifications = new Notifications(programs, { ...deps(new Chain()), ledger });
      await notifications.start();
      const entry: LedgerEntry = {
        block: {
          id: 'ab'.repeat(32),
          height: 3_712_345,
          finder: { kind: 'rig', rig: 'rig 1; $(id)' },
          reward: 600_000_000_000n,
          difficulty: 1n,
          hashes: 1,
          foundAt: 1,
        },
        fate: 'pending',
      };
      ledger.emit('found', entry);
      expect(await lines(6)).toEqual([
        ...[`<${'ab'.repeat(32)}>`, '<3712345>', '<rig 1; $(id)>', '<600000000000>', '<pending>'],
        'home=',
      ]);
      ledger.emit('fate', { ...entry, fate: 'orphaned' });
      expect((await lines(10)).slice(6)).toEqual([
        ...['<orphaned>', `<${'ab'.repeat(32)}>`, '<3712345>', 'home='],
      ]);
      await notifications.stop();
      expect(ledger.eventNames()).toEqual([]);
    });

    test('run a program when blocks arrive too slowly, but not while synchronizing', async () => {
      const chain = new Chain();
      const warn = jest.fn();
      const logger = { ...silentLogger, warn };
      const blockRate = `${script} ${out} %t %b %e`;
      const behind = new Notifications(notifyPrograms({ blockRate }, silentLogger), {
        ...deps(chain),
        logger,
        p2p: { synchronized: false },
      });
      behind.checkRate();
      const offline = new Notifications(notifyPrograms({ blockRate }, silentLogger), {
        ...deps(chain),
        logger,
        offline: true,
      });
      offline.checkRate();
      expect(warn).not.toHaveBeenCalled();
      new Notifications(notifyPrograms({ blockRate }, silentLogger), {
        ...deps(chain),
        logger,
      }).checkRate();
      expect(await lines(4)).toEqual(['<90>', '<0>', '<45>', 'home=']);
      expect(warn).toHaveBeenCalledTimes(1);
    });
  });
});

describe('the rate of blocks', () => {
  const every = (seconds: number, now: number): number[] =>
    Array.from({ length: 150 }, (_, i) => now - i * seconds);

  test('raises no alarm for a rate that chance explains', () => {
    expect(blockRateAlarm(every(120, 1e9), 1e9)).toBeUndefined();
    expect(blockRateAlarm(every(180, 1e9), 1e9)).toBeUndefined();
  });

  test('raises an alarm for too many and for too few blocks', () => {
    expect(blockRateAlarm(every(30, 1e9), 1e9)).toEqual({ minutes: 90, blocks: 150, expected: 45 });
    expect(blockRateAlarm(every(600, 1e9), 1e9)).toEqual({ minutes: 90, blocks: 10, expected: 45 });
    // A burst is improbable in the shortest window only.
    const burst = [...every(120, 1e9), ...new Array<number>(12).fill(1e9)];
    expect(blockRateAlarm(burst, 1e9)?.minutes).toBe(10);
  });

  test('uses the probabilities of a Poisson distribution', () => {
    // Tables of the cumulative distribution: P(X <= 2 | 5) = 0.12465, P(X <= 10 | 10) = 0.58304.
    expect(probability(2, 5)).toBeCloseTo(0.12465, 5);
    expect(probability(10, 10)).toBeCloseTo(0.58304, 5);
    // P(X >= 11 | 5) = 0.013695 and P(X >= 16 | 5) = 0.000069: values above three times 5 are left out.
    expect(probability(11, 5)).toBeCloseTo(0.013695 - 0.000069, 5);
    expect(probability(150, 45)).toBe(0);
  });
});
