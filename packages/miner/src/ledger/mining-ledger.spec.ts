import { EventEmitter } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { silentLogger, type Logger } from '@monero-node/base';
import type { ChainEvents } from '@monero-node/blockchain';
import type { Finder, LedgerFate } from './ledger-block.ts';
import { MiningLedger, type LedgerDependencies } from './mining-ledger.ts';

const RIG: Finder = { kind: 'rig', rig: 'rig1' };
const DIFFICULTY = 1000n;

/** A chain of blocks whose ids are made of their names. */
class Chain extends EventEmitter<ChainEvents> {
  #names: string[] = ['genesis'];

  get height(): number {
    return this.#names.length;
  }

  get store(): LedgerDependencies['blockchain']['store'] {
    const meta = (height: number) => {
      const name = this.#names[height];
      const cumulativeDifficulty = DIFFICULTY * BigInt(height + 1);
      return name === undefined ? undefined : { id: idOf(name), cumulativeDifficulty };
    };
    return {
      blockMeta: meta,
      heightOf: () => this.height - 1,
      altBlock: () => ({ cumulativeDifficulty: DIFFICULTY * BigInt(this.height + 1) }),
    } as never;
  }

  add(...names: string[]): void {
    const from = this.height;
    this.#names.push(...names);
    this.emit(
      'blocks-added',
      names.map((name, i) => ({
        height: from + i,
        bundle: { block: parsed(name) },
        meta: { cumulativeDifficulty: DIFFICULTY * BigInt(from + i + 1) },
      })) as never,
    );
  }

  /** Replaces the blocks from a height on. */
  reorganize(splitHeight: number, ...names: string[]): void {
    this.#names.length = splitHeight;
    // As in the real chain, all is stored when the first event comes.
    this.#names.push(...names);
    this.emit('reorg', { splitHeight, removed: [], added: names.length });
    this.#names.length = splitHeight;
    this.add(...names);
  }

  pop(height: number): void {
    this.#names.length = height;
    this.emit('popped', { height, removed: [] });
  }

  addAlternative(name: string, height: number): void {
    const bundle = { block: parsed(name) };
    this.emit('alternative-block', { id: idOf(name), height, bundle } as never);
  }
}

const idOf = (name: string): Uint8Array => Uint8Array.from(Buffer.alloc(32, name));

const parsed = (name: string) => ({
  id: idOf(name),
  block: { prevId: idOf('parent'), minerTx: { outputs: [{ amount: 5n }, { amount: 2n }] } },
});

let directory: string;
let chain: Chain;
let lines: string[];
let logger: Logger;
beforeEach(() => {
  directory = mkdtempSync(join(tmpdir(), 'ledger-'));
  chain = new Chain();
  lines = [];
  const note = (line: string): void => void lines.push(line);
  logger = { ...silentLogger, info: note, error: note };
});
afterEach(() => rmSync(directory, { recursive: true }));

async function open(changes: Partial<LedgerDependencies> = {}): Promise<MiningLedger> {
  const ledger = new MiningLedger({
    blockchain: chain,
    directory,
    logger,
    now: () => 1_700_000_000,
    ...changes,
  });
  await ledger.start();
  return ledger;
}

/** Lets somebody find the next block. */
const find = (ledger: MiningLedger, name: string, finder = RIG): Promise<void> =>
  ledger.mined(idOf(name), finder, async () => chain.add(name));

const fates = (ledger: MiningLedger): [number, LedgerFate][] =>
  ledger.entries.map(({ block, fate }) => [block.height, fate]);

test('a block that was found is written down with what the chain knows about it', async () => {
  const ledger = await open();
  const heard: unknown[] = [];
  ledger.on('found', (entry) => heard.push(entry));
  await find(ledger, 'a');
  const expected = {
    block: {
      height: 1,
      id: Buffer.from(idOf('a')).toString('hex'),
      finder: RIG,
      reward: 7n,
      difficulty: DIFFICULTY,
      hashes: 0,
      foundAt: 1_700_000_000,
    },
    fate: 'pending',
  };
  expect(ledger.entries).toEqual([expected]);
  expect(heard).toEqual([expected]);
  expect(lines).toEqual(['Block 1 found by rig1']);
  expect((await open()).entries).toEqual([expected]);
});

test.each([
  ['miner', 'the built-in miner'],
  ['submit_block', 'submit_block'],
  ['generateblocks', 'generateblocks'],
] as const)('the log names %s', async (kind, name) => {
  await find(await open(), 'a', { kind, rig: '' });
  expect(lines).toEqual([`Block 1 found by ${name}`]);
});

test('blocks of others, refused ones and known ones are not found', async () => {
  const ledger = await open();
  chain.add('other');
  await ledger.mined(idOf('refused'), RIG, async () => 'refused');
  await expect(
    ledger.mined(idOf('thrown'), RIG, () => Promise.reject(new Error('busy'))),
  ).rejects.toThrow('busy');
  // They come from a peer later.
  chain.add('refused', 'thrown');
  expect(ledger.entries).toEqual([]);
});

test('a block that two find at a time is found once', async () => {
  const ledger = await open();
  await ledger.mined(idOf('a'), RIG, async () => {
    await ledger.mined(idOf('a'), { kind: 'submit_block', rig: '' }, async () => 'known');
    chain.add('a');
  });
  expect(ledger.entries.map(({ block }) => block.finder)).toEqual([RIG]);
});

test('fates follow the chain', async () => {
  const ledger = await open();
  const heard: LedgerFate[] = [];
  ledger.on('fate', ({ fate }) => heard.push(fate));
  await find(ledger, 'a');
  const later = (count: number): void =>
    chain.add(...Array.from({ length: count }, (_, i) => `later ${i}`));
  later(8);
  expect(fates(ledger)).toEqual([[1, 'pending']]);
  later(1);
  expect(fates(ledger)).toEqual([[1, 'confirmed']]);
  later(49);
  expect(fates(ledger)).toEqual([[1, 'confirmed']]);
  later(1);
  expect([chain.height, ...fates(ledger)]).toEqual([61, [1, 'unlocked']]);
  chain.pop(60);
  expect(fates(ledger)).toEqual([[1, 'confirmed']]);
  chain.pop(1);
  // Nothing has taken its place.
  expect(fates(ledger)).toEqual([[1, 'pending']]);
  expect(heard).toEqual(['confirmed', 'unlocked', 'confirmed', 'pending']);
  expect(lines).toEqual(['Block 1 found by rig1']);
});

test('a reorganization orphans blocks, and another one brings them back', async () => {
  const ledger = await open();
  const heard: string[] = [];
  ledger.on('fate', ({ block, fate }) => heard.push(`${fate} ${block.height}`));
  await find(ledger, 'a');
  await find(ledger, 'b', { kind: 'miner', rig: '' });
  chain.reorganize(2, 'x', 'y');
  expect(fates(ledger)).toEqual([
    [1, 'pending'],
    [2, 'orphaned'],
  ]);
  chain.add('z');
  chain.reorganize(2, 'b', 'c', 'd', 'e');
  expect(fates(ledger)).toEqual([
    [1, 'pending'],
    [2, 'pending'],
  ]);
  expect(heard).toEqual(['orphaned 2', 'pending 2']);
  expect(lines.slice(2)).toEqual([
    'Block 2 found by the built-in miner was orphaned',
    'Block 2 found by the built-in miner is in the main chain again',
  ]);
});

test('a block that came too late is orphaned from the beginning', async () => {
  const ledger = await open();
  await find(ledger, 'a');
  await ledger.mined(idOf('late'), { kind: 'rig', rig: 'rig2' }, async () =>
    chain.addAlternative('late', 1),
  );
  expect(fates(ledger)).toEqual([
    [1, 'pending'],
    [1, 'orphaned'],
  ]);
  expect(ledger.entries[1]?.block.difficulty).toBe(DIFFICULTY);
  expect(lines[1]).toBe('Block 1 found by rig2 came too late');
});

test('a start finds out what has happened meanwhile', async () => {
  const first = await open();
  await find(first, 'a');
  await find(first, 'b');
  await first.stop();
  expect(chain.eventNames()).toEqual([]);
  chain.reorganize(2, 'x', ...Array.from({ length: 12 }, (_, i) => `later ${i}`));
  const second = await open();
  expect(fates(second)).toEqual([
    [1, 'confirmed'],
    [2, 'orphaned'],
  ]);
  expect(lines).toEqual(['Block 1 found by rig1', 'Block 2 found by rig1']);
});

test('the effort is what miner and rigs did since their last block, also before a restart', async () => {
  const work = { rigs: 0, miner: 0 };
  const worked = async (): Promise<MiningLedger> => {
    const ledger = await open();
    ledger.countWork(() => work.rigs);
    ledger.countWork(() => work.miner);
    return ledger;
  };
  const first = await worked();
  work.rigs = 700;
  await find(first, 'a');
  work.rigs = 1000;
  work.miner = 50;
  await find(first, 'b', { kind: 'submit_block', rig: '' });
  work.miner = 100;
  expect(first.hashes).toBe(400);
  await first.stop();
  Object.assign(work, { rigs: 0, miner: 0 });
  const second = await worked();
  expect(second.hashes).toBe(400);
  work.rigs = 10;
  await find(second, 'c', { kind: 'miner', rig: '' });
  expect(second.entries.map(({ block }) => block.hashes)).toEqual([700, undefined, 410]);
  expect(second.hashes).toBe(0);
});

test('a chain that begins anew has a new ledger', async () => {
  await find(await open(), 'a');
  const ledger = await open({ reset: true });
  expect(ledger.entries).toEqual([]);
});

test('the oldest blocks are forgotten, and the file stays short', async () => {
  const ledger = await open();
  for (let i = 0; i < 12_600; i++) await find(ledger, `${i}`.padStart(32, '-'));
  expect(ledger.entries).toHaveLength(10_000);
  expect(ledger.entries[0]?.block.height).toBe(2601);
  // Ninety-nine blocks were found while a shorter file was being written.
  await ledger.stop();
  const text = readFileSync(join(directory, 'mining-ledger'), 'utf8');
  expect(text.split('\n').length).toBeLessThan(10_200);
  const again = await open();
  expect(again.entries).toEqual(ledger.entries);
  // Its place is free again.
  await find(again, 'new');
  expect(again.entries).toHaveLength(10_000);
});

test('a disk that takes nothing does not stop mining', async () => {
  const ledger = await open();
  rmSync(directory, { recursive: true });
  await find(ledger, 'a');
  await find(ledger, 'b');
  expect(fates(ledger)).toEqual([
    [1, 'pending'],
    [2, 'pending'],
  ]);
  expect(lines.filter((line) => line.includes('cannot be written'))).toHaveLength(1);
  // Tests remove it at their end.
  directory = mkdtempSync(join(tmpdir(), 'ledger-'));
});
