import { EventEmitter } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { MOST_LOG_LINES, type StateMessage, type ChangeMessage } from '@monero-node/dashboard';
import { recordedChain } from '@monero-node/rpc/testing';
import { silentLogger } from '@monero-node/base';
import { type EventReader, eventsOf } from '../testing/page-events.ts';
import { LevelLogger } from '../log/level-logger.ts';
import { LogLevels } from '../log/log-levels.ts';
import { NOTABLE_LINES, NotableLines } from '../log/kept-lines.ts';
import { HistoryFile } from './history-file.ts';
import { HistoryKeeper } from './history-keeper.ts';
import { createNodePage, type NodePage } from './node-page.ts';
import type { PageSources } from './page-sources.ts';

const PRIVATE = '203.0.113.77';
const BUILT = { files: [], script: '/page/x.js' };

let chain: Awaited<ReturnType<typeof recordedChain>>;
let sources: PageSources;
let log: NotableLines;
let page: NodePage;
let isReady: string[];
let ownerWatched: number;

beforeEach(async () => {
  chain = await recordedChain();
  log = new NotableLines(NOTABLE_LINES);
  isReady = [];
  ownerWatched = 0;
  const peer = {
    connectionId: 'ab'.repeat(16),
    address: `${PRIVATE}:18080`,
    host: PRIVATE,
    addressType: 1,
    incoming: false,
    state: 'normal',
    height: chain.height,
    liveTime: 5,
    pruningSeed: 0,
    recvCount: 10,
    sendCount: 20,
  };
  sources = {
    blockchain: chain,
    p2p: {
      banKind: () => 'host',
      connections: () => [peer] as never,
      netStats: { startTime: 0, bytesIn: 1000, bytesOut: 2000, packetsIn: 0, packetsOut: 0 },
      reachability: () => ({
        closedBy: '--offline',
        port: 0,
        networks: [],
        ownAddresses: [],
        mapping: undefined,
      }),
    },
    pool: {
      size: 2,
      feeBands: (edges) => {
        const empty = edges.map(() => ({ count: 0, weight: 0 }));
        const all = [...empty, { count: 2, weight: 3000 }];
        const known = [...empty, { count: 1, weight: 1000 }];
        return Promise.resolve({ all, public: known, oldest: 1, oldestPublic: 2 });
      },
    },
    miner: {
      status: {
        active: false,
        speed: 0,
        threads: 0,
        address: undefined,
        blockReward: 0n,
        background: undefined,
      },
    },
    ledger: { entries: [], hashes: 0 },
    stratum: undefined,
    clients: {
      since: 1_600_000_100,
      top: () => [{ host: '192.0.2.77', calls: 3, bytes: 4, seconds: 5 }],
    },
    onOwnerWatched: () => void ownerWatched++,
    updates: {
      state: {
        mode: 'notify',
        checkedAt: 1_600_000_500,
        newer: '9.8.7-private',
        failure: undefined,
      },
    },
    state: {
      blocksPerSecond: 12,
      problem: 'a private problem',
      events: 'a private broker',
      fleet: 'a private fleet',
      seed: 'a private copy',
      tree: 'a private tree',
      saturation: 42,
    },
    notReady: () => isReady,
    freeSpace: () => Promise.resolve(123_456),
    dataDir: undefined,
    log,
    hiddenServices: [],
    version: '1.2.3-private',
    startedAt: 1_600_000_000,
    logger: silentLogger,
    globalLogger: silentLogger,
    now: () => 1_700_000_000_000,
  };
  page = createNodePage(BUILT, sources);
  await page.part.start();
});
afterEach(async () => {
  await page.part.stop();
  await chain.stop();
});

/** Opens one view and returns its state, with what follows at once. */
async function open(view: 'owner' | 'public'): Promise<[StateMessage, EventReader]> {
  const reader = eventsOf(page.page.events[view]);
  const state = await reader.next('state');
  return [state as StateMessage, reader];
}

test('the owner sees everything', async () => {
  new LevelLogger(new LogLevels('*:INFO'), [log]).warn('a warning');
  const [state, reader] = await open('owner');
  expect(state.node).toMatchObject({ view: 'owner', version: '1.2.3-private', startedAt: 1.6e9 });
  expect(state.script).toBe('/page/x.js');
  expect(state.sections.chain).toMatchObject({
    height: chain.height,
    target: chain.height,
    synchronized: true,
    blocksPerSecond: 12,
    problem: 'a private problem',
    events: 'a private broker',
    fleet: 'a private fleet',
    seed: 'a private copy',
    tree: 'a private tree',
  });
  expect(state.sections.peers?.rows[0]?.address).toBe(`${PRIVATE}:18080`);
  expect(state.sections.traffic).toMatchObject({ bytesIn: 1000, bytesOut: 2000 });
  expect(state.sections.fees?.perByte).toHaveLength(4);
  expect(state.sections.mining).toMatchObject({ active: false, address: '' });
  expect(state.sections.ledger).toMatchObject({ rigs: [], found: [], total: 0 });
  expect(state.blocks.at(-1)?.height).toBe(chain.height - 1);
  expect(state.log?.map(({ text }) => text)).toEqual(['a warning']);
  const later = (await reader.next('change')) as ChangeMessage;
  expect(later.sections?.pool).toMatchObject({ count: 2, oldest: 1 });
  expect(later.sections?.disk).toEqual({
    chainBytes: chain.store.sizeOnDisk,
    freeBytes: 123_456,
    stripe: null,
  });
  expect(state.sections.update).toEqual({
    isChecking: true,
    checkedAt: 1_600_000_500,
    newer: '9.8.7-private',
    failure: null,
  });
});

test('the public sees neither peers, log, traffic, disk, mining nor this machine', async () => {
  new LevelLogger(new LogLevels('*:INFO'), [log]).warn(`lost ${PRIVATE}`);
  const [state, reader] = await open('public');
  expect(Object.keys(state.sections).sort()).toEqual(['chain', 'fees']);
  expect(Object.keys(state.node).sort()).toEqual(['network', 'view']);
  expect(state).not.toHaveProperty('log');
  const later = (await reader.next('change')) as ChangeMessage;
  expect(Object.keys(later.sections ?? {})).toEqual(['pool']);
  expect(later.sections?.pool).toMatchObject({ count: 1, oldest: 2 });
  for (const message of [state, later]) {
    expect(JSON.stringify(message)).not.toMatch(/private|203\.0\.113|bytesIn|freeBytes|processors/);
  }
});

test('a node that is behind or in trouble says so to its owner', async () => {
  isReady = ['synchronizing', 'store_failed'];
  Object.assign(sources.state, { problem: undefined });
  const [{ sections }] = await open('owner');
  expect(sections.chain).toMatchObject({ synchronized: false });
  expect(sections.chain?.problem).toContain('no more writes');
});

test('a change of the chain is sent without waiting for the next second', async () => {
  const [, reader] = await open('owner');
  const height = chain.height;
  await chain.popBlocks(1);
  for (;;) {
    const { blocks, sections } = (await reader.next('change')) as ChangeMessage;
    if (blocks === undefined) continue;
    expect(blocks.from).toBeLessThan(height);
    expect(sections?.chain?.height).toBe(height - 1);
    return;
  }
});

test('it is told when the first of several owners opens the page', async () => {
  await open('public');
  expect(ownerWatched).toBe(0);
  await open('owner');
  await open('owner');
  expect(ownerWatched).toBe(1);
});

test('nothing is listened to after the end', async () => {
  await page.part.stop();
  const emitter = chain as unknown as EventEmitter;
  expect(emitter.listenerCount('blocks-added')).toBe(0);
  expect(emitter.listenerCount('popped')).toBe(0);
});

test('a disk that hangs and a pool that fails do not stop the page', async () => {
  const errors: string[] = [];
  Object.assign(sources, {
    freeSpace: () => new Promise<number>(() => undefined),
    logger: { ...silentLogger, error: (line: string) => void errors.push(line) },
  });
  Object.assign(sources.pool, { feeBands: () => Promise.reject(new Error('no bands')) });
  const [, reader] = await open('owner');
  const height = chain.height;
  await chain.popBlocks(1);
  for (;;) {
    const { sections } = (await reader.next('change')) as ChangeMessage;
    if (sections?.chain?.height === height - 1) break;
  }
  expect(errors).toEqual([
    'the web page cannot be brought up to date (pool and disk): Error: no bands',
  ]);
});

test('the charts of the last run are shown after a restart', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'node-page-'));
  try {
    const owner = new HistoryKeeper();
    const known = new HistoryKeeper(['pool']);
    owner.add(1_699_999_000, { peers: 6 });
    const file = new HistoryFile(dataDir, silentLogger);
    await file.save({ owner: owner.history, public: known.history });
    const again = createNodePage(BUILT, { ...sources, dataDir });
    await again.part.start();
    const state = (await eventsOf(again.page.events.owner).next('state')) as StateMessage;
    expect(state.history.hour.series.peers).toEqual([6]);
    await again.part.stop();
    expect((await file.load())?.owner).toEqual(owner.history);
  } finally {
    rmSync(dataDir, { recursive: true });
  }
});

test('charts that cannot be read or written are lines of the category global', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'node-page-'));
  const lines: string[] = [];
  const note = (line: string): void => void lines.push(line);
  writeFileSync(join(dataDir, 'page-history.json'), '{');
  const globalLogger = { warn: note, error: note };
  const again = createNodePage(BUILT, { ...sources, dataDir, globalLogger });
  await again.part.start();
  rmSync(dataDir, { recursive: true });
  await again.part.stop();
  expect(lines).toEqual([
    expect.stringContaining('The charts of the page begin anew'),
    expect.stringMatching(/cannot be brought up to date \(file of the charts\): .*ENOENT/),
  ]);
});

test('the log keeps as many lines as the page shows', () => {
  expect(NOTABLE_LINES).toBe(MOST_LOG_LINES);
});
