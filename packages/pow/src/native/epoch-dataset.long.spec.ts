import { CompositePowHasher } from '../composite-hasher.ts';
import { CryptonightHasher } from '../cryptonight/hasher.ts';
import type { DatasetEvent, DatasetUse } from '../pow-hasher.ts';
import { ConfirmingHasher } from '../second-opinion/confirming-hasher.ts';
import {
  loadRandomxAddon,
  type MemoryHandle,
  type RandomxAddon,
  type TaskHandle,
} from './addon.ts';
import { NativeRandomxHasher } from './hasher.ts';
import { NativeVersions } from './versions.ts';

const utf8 = (text: string) => new TextEncoder().encode(text);
const hex = (bytes: Uint8Array) => Buffer.from(bytes).toString('hex');
const addon = loadRandomxAddon();
const paths = addon?.itemPaths() ?? [];

/** Of the RandomX specification; compliance.spec.ts has more. */
const SEED = utf8('test key 000');
const BLOB = utf8('This is a test');
const HASH = '639183aae1bf4c9a35884cb46b09cad9175f04efd7684e7262a0ac1c2f0b4e3f';
const OTHER_SEED = utf8('test key 001');
const MANY = 2048;

/** A computation of a dataset, which the test ends. */
interface Computation {
  readonly threads: number;
  readonly path: string;
  readonly finish: () => void;
  readonly fail: (code: string) => void;
}

/** An addon whose datasets are caches, and a hasher of one thread. */
class Setup {
  readonly hasher: NativeRandomxHasher;
  readonly computations: Computation[] = [];
  readonly events: string[] = [];
  /** For each hash, whether it was computed with a dataset. */
  readonly fast: boolean[] = [];
  /** Datasets that were not released. */
  readonly datasets = new Set<MemoryHandle>();
  available = 2 ** 40;
  /** Whether there is no memory for a machine of a dataset. */
  isShort = false;

  constructor(
    { use = 'auto', longestWait = 600_000 }: { use?: DatasetUse; longestWait?: number } = {},
    changes: Partial<RandomxAddon> = {},
  ) {
    this.hasher = new NativeRandomxHasher({ ...this.#addon(), ...changes }, 1, {
      dataset: {
        ...{ use, threads: 3, longestWait },
        availableMemory: () => this.available,
        onEvent: (event) => this.events.push(textOf(event)),
      },
    });
  }

  expect(blocks: number, seedHash = SEED): void {
    this.hasher.expect(seedHash, blocks);
  }

  /** Hashes as the node does, which waits for the dataset. */
  async hash(seedHash = SEED): Promise<string> {
    await this.hasher.ready(seedHash);
    return hex(await this.hasher.hash({ kind: 'randomx', seedHash, blob: BLOB }));
  }

  /** Resolves when the dataset of that number is being computed. */
  async computation(number: number): Promise<Computation> {
    while (this.computations[number] === undefined) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    return this.computations[number];
  }

  #addon(): RandomxAddon {
    const cancels = new Map<TaskHandle, () => void>();
    const initDataset: RandomxAddon['initDataset'] = (cache, threads, task, path) =>
      new Promise((resolve, reject) => {
        const fail = (code: string) => reject(Object.assign(new Error(code), { code }));
        cancels.set(task, () => fail('ECANCELED'));
        // The addon makes a handle of its own for each call.
        const finish = (): void => {
          const dataset = Object.assign(Object.create(null) as object, { cache });
          this.datasets.add(dataset as unknown as MemoryHandle);
          resolve(dataset as unknown as MemoryHandle);
        };
        this.computations.push({ threads, path, finish, fail });
      });
    return {
      ...addon!,
      initDataset,
      cancel: (task) => {
        cancels.get(task)?.();
        addon!.cancel(task);
      },
      describe: (memory) =>
        this.datasets.has(memory)
          ? { flags: 0, pages: 'plain', isVector: true, hasDiffered: false }
          : addon!.describe(memory),
      hash: (memory, blob, isV2) => {
        const isFast = this.datasets.has(memory);
        this.fast.push(isFast);
        if (isFast && this.isShort) {
          return Promise.reject(Object.assign(new Error('none'), { code: 'ENOMEM' }));
        }
        const cache = isFast ? (memory as unknown as { cache: MemoryHandle }).cache : memory;
        return addon!.hash(cache, blob, isV2);
      },
      release: async (memory) => {
        if (!this.datasets.delete(memory)) await addon!.release(memory);
      },
    };
  }
}

function textOf(event: DatasetEvent): string {
  switch (event.kind) {
    case 'started':
      return `started for ${event.blocks}`;
    case 'no-memory':
      return `${event.available} of ${event.needed}`;
    case 'failed':
      return String((event.error as Error).message);
    default:
      return event.kind;
  }
}

(paths.length > 0 ? describe : describe.skip)('a dataset for many blocks of a seed', () => {
  test('is waited for, computes the same hash, and goes when no block is expected', async () => {
    const setup = new Setup();
    expect(await setup.hash()).toBe(HASH);
    setup.expect(MANY);
    const waiting = setup.hash();
    const computation = await setup.computation(0);
    expect([computation.threads, computation.path]).toEqual([3, paths[0]]);
    expect(await setup.hash(OTHER_SEED)).not.toBe(HASH);
    computation.finish();
    expect(await waiting).toBe(HASH);
    // Fewer are left, but the dataset is there.
    setup.expect(10);
    expect(await setup.hash()).toBe(HASH);
    expect(setup.datasets.size).toBe(1);
    setup.expect(0);
    expect(await setup.hash()).toBe(HASH);
    expect(setup.fast).toEqual([false, false, true, true, false]);
    expect(setup.events).toEqual([`started for ${MANY}`, 'freed']);
    await setup.hasher.close();
    expect(setup.datasets.size).toBe(0);
  });

  test('is kept for any block, and no hash waits for it', async () => {
    const setup = new Setup({ use: 'keep' });
    setup.available = 2400 * 2 ** 20;
    setup.expect(1);
    const computation = await setup.computation(0);
    expect(await setup.hash()).toBe(HASH);
    computation.finish();
    // It is used from the hash on that begins when it is ready.
    do expect(await setup.hash()).toBe(HASH);
    while (setup.fast.at(-1) !== true);
    expect(setup.fast[0]).toBe(false);
    // The next seed: its hashes do not wait either.
    setup.expect(MANY, OTHER_SEED);
    await setup.computation(1);
    await setup.hash(OTHER_SEED);
    expect(setup.fast.at(-1)).toBe(false);
    expect(setup.events).toEqual(['started for 1', 'freed', `started for ${MANY}`]);
    await setup.hasher.close();
    expect(setup.datasets.size).toBe(0);
  });

  test('is abandoned with its computation, and its hashes go on in light mode', async () => {
    const setup = new Setup();
    setup.expect(MANY);
    const waiting = setup.hash();
    await setup.computation(0);
    setup.expect(0);
    expect(await waiting).toBe(HASH);
    expect(setup.events).toEqual([`started for ${MANY}`, 'freed']);
    setup.expect(MANY);
    const again = setup.hash();
    await setup.computation(1);
    const closing = setup.hasher.close();
    // It had not begun.
    await expect(again).rejects.toMatchObject({ code: 'closed' });
    await closing;
    expect(setup.fast).toEqual([false]);
    expect(setup.datasets.size).toBe(0);
  });

  test('of another seed takes its place after it is freed', async () => {
    const setup = new Setup();
    setup.expect(MANY);
    (await setup.computation(0)).finish();
    await setup.hash();
    setup.expect(MANY, OTHER_SEED);
    const second = await setup.computation(1);
    expect(setup.datasets.size).toBe(0);
    // A reorganization to the old seed.
    expect(await setup.hash()).toBe(HASH);
    second.finish();
    await setup.hash(OTHER_SEED);
    expect(setup.fast).toEqual([true, false, true]);
    // Few blocks of a third seed are not worth one.
    setup.expect(200, utf8('test key 002'));
    expect(setup.events.at(-1)).toBe('freed');
    await setup.hasher.close();
    expect([setup.computations.length, setup.datasets.size]).toEqual([2, 0]);
  });

  test('is not begun without enough memory, and not asked for again', async () => {
    const setup = new Setup();
    setup.available = 6 * 2 ** 30 - 1;
    setup.expect(MANY);
    setup.expect(MANY - 100);
    expect(await setup.hash()).toBe(HASH);
    expect(setup.events).toEqual(['6442450943 of 6442450944']);
    const eager = new Setup({ use: 'always' });
    eager.available = setup.available;
    eager.expect(MANY);
    (await eager.computation(0)).fail('ENOMEM');
    expect(await eager.hash()).toBe(HASH);
    eager.expect(MANY - 100);
    expect(eager.events).toEqual([`started for ${MANY}`, 'RandomX: ENOMEM']);
    expect([setup.computations.length, eager.computations.length]).toEqual([0, 1]);
    expect([...setup.fast, ...eager.fast]).toEqual([false, false]);
    await setup.hasher.close();
    await eager.hasher.close();
  });

  test('that is abandoned and wanted again at once is used, and freed', async () => {
    const setup = new Setup();
    setup.expect(MANY);
    await setup.computation(0);
    setup.expect(0);
    setup.expect(MANY);
    const waiting = setup.hash();
    (await setup.computation(1)).finish();
    expect(await waiting).toBe(HASH);
    expect(setup.fast).toEqual([true]);
    setup.expect(0);
    expect(setup.events).toEqual([`started for ${MANY}`, 'freed', `started for ${MANY}`, 'freed']);
    expect(await setup.hash()).toBe(HASH);
    while (setup.datasets.size > 0) await new Promise((resolve) => setImmediate(resolve));
    await setup.hasher.close();
  });

  test('holds up no hash of another seed or algorithm, however few threads there are', async () => {
    const setup = new Setup();
    const unused = (): never => {
      throw new Error('not asked');
    };
    const hasher = new ConfirmingHasher(
      {
        main: () =>
          new CompositePowHasher(() => 'main', {
            randomx: new NativeVersions(setup.hasher, { createFallback: unused }),
            cryptonight: new CryptonightHasher(1),
          }),
        second: unused,
        third: unused,
      },
      { threads: 1 },
    );
    const hash = (seedHash: Uint8Array) => hasher.hash({ kind: 'randomx', seedHash, blob: BLOB });
    // It came before the dataset was begun, and does not wait in its turn.
    const early = hash(SEED);
    hasher.expect(SEED, MANY);
    const waiting = [hash(SEED), hash(SEED)];
    const computation = await setup.computation(0);
    expect(hex(await early)).toBe(HASH);
    expect(await hash(OTHER_SEED)).toHaveLength(32);
    const cryptonight = { kind: 'cryptonight', variant: 0, height: 0, blob: BLOB } as const;
    expect(await hasher.hash(cryptonight)).toHaveLength(32);
    expect(setup.fast).toEqual([false, false]);
    computation.finish();
    expect((await Promise.all(waiting)).map(hex)).toEqual([HASH, HASH]);
    expect(setup.fast).toEqual([false, false, true, true]);
    await hasher.close();
  });

  test('counts the memory of the one that it replaces, as far as that was taken', async () => {
    const GIB = 2 ** 30;
    const counted = async (done: number, isFinished: boolean) => {
      const setup = new Setup({}, { progress: () => [done, 100] });
      setup.expect(MANY);
      const computation = await setup.computation(0);
      if (isFinished) {
        computation.finish();
        await setup.hash();
      }
      setup.available = 4 * GIB;
      setup.expect(MANY, OTHER_SEED);
      await setup.hasher.close();
      return setup.events;
    };
    const started = `started for ${MANY}`;
    const needed = 6 * GIB;
    const half = 4 * GIB + 1040 * 2 ** 20;
    expect(await counted(0, false)).toEqual([started, 'freed', `${4 * GIB} of ${needed}`]);
    expect(await counted(50, false)).toEqual([started, 'freed', `${half} of ${needed}`]);
    expect(await counted(50, true)).toEqual([started, 'freed', started, 'freed']);
  });

  test('is not waited for longer than allowed', async () => {
    const setup = new Setup({ longestWait: 0 });
    setup.expect(MANY);
    expect(await setup.hash()).toBe(HASH);
    (await setup.computation(0)).finish();
    while (setup.fast.at(-1) === false) expect(await setup.hash()).toBe(HASH);
    await setup.hasher.close();
  });

  test('without memory for a machine leaves the hash to light mode', async () => {
    const setup = new Setup();
    setup.expect(MANY);
    (await setup.computation(0)).finish();
    setup.isShort = true;
    expect(await setup.hash()).toBe(HASH);
    expect(setup.fast).toEqual([true, false]);
    await setup.hasher.close();
  });

  test.each([
    ['is reported when vector code was wrong', true, ['mismatch']],
    ['is not called wrong where vector code could not be tried', false, []],
  ])('%s', async (_, hasDiffered, events) => {
    const setup = new Setup(
      {},
      { describe: () => ({ flags: 0, pages: 'plain', isVector: false, hasDiffered }) },
    );
    setup.expect(MANY);
    (await setup.computation(0)).finish();
    expect(await setup.hash()).toBe(HASH);
    expect(setup.events).toEqual([`started for ${MANY}`, ...events]);
    await setup.hasher.close();
  });

  test('is never begun when it is off, without vector code, or for few blocks', async () => {
    const setups = [new Setup({ use: 'never' }), new Setup({}, { itemPaths: () => [] })];
    for (const setup of setups) setup.expect(MANY);
    const few = new Setup();
    few.expect(1023);
    for (const setup of [...setups, few]) {
      expect(await setup.hash()).toBe(HASH);
      expect([setup.events, setup.computations.length]).toEqual([[], 0]);
      await setup.hasher.close();
      setup.expect(MANY);
      expect(setup.events).toEqual([]);
    }
  });
});

// Takes 2 GiB, and 10 to 30 seconds of processor time.
const withDataset = process.env['POW_FAST'] === undefined || paths.length === 0;
(withDataset ? describe.skip : describe)('a whole dataset', () => {
  test('of vector code has the published hashes', async () => {
    const events: DatasetEvent[] = [];
    const areVector: boolean[] = [];
    const describe: RandomxAddon['describe'] = (memory) => {
      const description = addon!.describe(memory);
      areVector.push(description.isVector);
      return description;
    };
    const hasher = new NativeRandomxHasher({ ...addon!, describe }, 2, {
      dataset: { use: 'always', threads: 2, longestWait: 600_000, onEvent: (e) => events.push(e) },
    });
    hasher.expect(SEED, MANY);
    await hasher.ready(SEED);
    const hash = (blob: string) =>
      hasher.hash({ kind: 'randomx', seedHash: SEED, blob: utf8(blob) }).then(hex);
    expect(await hash('This is a test')).toBe(HASH);
    expect(await hash('Lorem ipsum dolor sit amet')).toBe(
      '300a0adb47603dedb42228ccb2b211104f4da45af709cd7547cd049e9489c969',
    );
    expect([events, areVector]).toEqual([
      [{ kind: 'started', blocks: MANY, isKept: false }],
      [true],
    ]);
    await hasher.close();
  }, 600_000);
});
