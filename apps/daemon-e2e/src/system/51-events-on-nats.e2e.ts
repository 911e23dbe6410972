import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { toHex } from '@monero-node/codec';
import { startNode, type DevNode } from '@monero-node/devnet';
import {
  readJournal,
  startConsumer,
  type ConsumerOptions,
  type JournalState,
} from '../events/journal.ts';
import { NatsServer } from '../events/nats-server.ts';
import type { RunningNode } from '../harness/monerod.ts';
import { startOurDaemon } from '../harness/our-daemon.ts';
import type { ManagedProcess } from '../harness/processes.ts';
import { newFolder } from '../harness/run-folder.ts';
import { describeUnless, missingCommands } from '../harness/skip-without.ts';
import { sleep, waitUntil } from '../harness/wait.ts';
import { Random } from '../recorder/random.ts';

const isLong = process.env['E2E_LONG'] === '1';
const BLOCKS = 5000;
const REORGANIZATIONS = 30;
const KILLS = 10;
const WAIT = 1_500_000;
const NAMING = { prefix: 'monero.regtest', stream: 'MONERO_REGTEST' };

/** Returns the ids of the source's chain by height. */
function idsOf({ node }: DevNode): string[] {
  const { store, height } = node.blockchain;
  return store.blockMetas(0, height).map(({ id }) => toHex(id));
}

/** Returns the resident memory of a process, MiB. */
function memoryOf({ pid }: ManagedProcess): number {
  const [, kilobytes = '0'] =
    /VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? [];
  return Math.round(Number(kilobytes) / 1024);
}

const lack = isLong
  ? missingCommands(['nats-server']).map((name) => `not installed: ${name}`)[0]
  : 'takes many minutes; set E2E_LONG=1 to run it';

describeUnless(lack, 'events on NATS JetStream', () => {
  const seed = Number(process.env['E2E_SEED'] ?? Date.now() % 1_000_000);
  const random = new Random(seed);
  let source: DevNode;
  let broker: NatsServer;

  beforeAll(async () => {
    source = await startNode();
    broker = await NatsServer.start();
  }, WAIT);
  afterAll(async () => {
    await source.stop();
    await broker.stop();
  }, WAIT);

  const startPublisher = (name: string, dataDir = newFolder(name)): Promise<RunningNode> =>
    startOurDaemon({
      name,
      dataDir,
      peers: [source.p2pAddress],
      fixedDifficulty: 1,
      extra: ['--events', broker.url],
    });

  /** Resolves to what a consumer was told once it has the source's chain. */
  function consumed(journal: string): Promise<JournalState> {
    const look = (): JournalState | false => {
      const state = readJournal(journal);
      return state.ids.at(-1) === toHex(source.topId) ? state : false;
    };
    return waitUntil('the consumer to have the chain', look, { timeout: 120_000 });
  }

  /** Resolves when a node has the source's chain. */
  async function inStep(node: RunningNode): Promise<void> {
    await waitUntil('the node', async () => (await node.tip()).id === toHex(source.topId), {
      timeout: WAIT,
    });
  }

  /** Has a new consumer follow from the first block; resolves to what it was told and the seconds from its first block. */
  async function followAnew(): Promise<{ state: JournalState; seconds: number }> {
    const cwd = newFolder('late-consumer');
    const journal = join(cwd, 'journal');
    const late = await startConsumer({ server: broker.url, ...NAMING, journal, cwd });
    const often = { timeout: 60_000, interval: 5 };
    await waitUntil(
      'the first block',
      () => existsSync(journal) && statSync(journal).size > 0,
      often,
    );
    const startedAt = performance.now();
    await waitUntil(
      'the chain',
      () => readJournal(journal).ids.at(-1) === toHex(source.topId),
      often,
    );
    const seconds = (performance.now() - startedAt) / 1000;
    await late.stop();
    return { state: readJournal(journal), seconds };
  }

  test(
    `${BLOCKS} blocks, ${REORGANIZATIONS} reorganizations, 3 x ${KILLS} kills: the consumer has the chain (E2E_SEED=${seed})`,
    async () => {
      await source.mine(20);
      const dataDir = newFolder('publisher');
      let node = await startPublisher('publisher', dataDir);
      const folder = newFolder('consumer');
      const options: ConsumerOptions = {
        server: broker.url,
        ...NAMING,
        journal: join(folder, 'journal'),
        cwd: folder,
      };
      let consumer = await startConsumer(options);
      const kills = {
        broker: async () => {
          await broker.kill();
          await source.mine(random.integer(0, 5));
          await broker.run();
        },
        node: async () => {
          await node.process.kill();
          await source.mine(random.integer(0, 5));
          node = await startPublisher('publisher', dataDir);
        },
        consumer: async () => {
          await consumer.kill();
          await source.mine(random.integer(0, 5));
          consumer = await startConsumer(options);
        },
      };
      const startedAt = performance.now();
      const rounds = Math.max(REORGANIZATIONS, 3 * KILLS);
      const victims = (['broker', 'node', 'consumer'] as const).flatMap((victim) =>
        Array<typeof victim>(KILLS).fill(victim),
      );
      for (let round = 0; round < rounds; round++) {
        const goal = Math.floor((BLOCKS * (round + 1)) / rounds);
        await source.mine(Math.max(1, goal - source.height));
        if (round < REORGANIZATIONS) {
          // Otherwise the consumer might never see the blocks that are replaced.
          await consumed(options.journal);
          await source.reorganize(random.integer(1, 10));
        }
        await sleep(random.uniform(0, 300));
        const [victim] = victims.splice(random.integer(0, Math.max(0, victims.length - 1)), 1);
        if (victim !== undefined) await kills[victim]();
      }
      await inStep(node);
      const journal = await consumed(options.journal);
      const seconds = (performance.now() - startedAt) / 1000;
      expect(journal.ids).toEqual(idsOf(source));
      const { applied, reverted } = journal;
      expect(reverted).toBeGreaterThanOrEqual(REORGANIZATIONS);
      console.info(
        `${applied} applied and ${reverted} reverted in ${seconds.toFixed(1)} s ` +
          `(${((applied + reverted) / seconds).toFixed(0)}/s); memory in MiB: ` +
          `node ${memoryOf(node.process)}, consumer ${memoryOf(consumer)}`,
      );

      expect(await consumer.stop()).toBe(0);
      expect(await node.stop()).toBe(0);
    },
    WAIT,
  );

  test(
    'a consumer that comes late is given the whole chain; its speed is printed',
    async () => {
      await source.mine(Math.max(1, BLOCKS - source.height));
      const node = await startPublisher('publisher-of-old-blocks');
      await inStep(node);
      const { state, seconds } = await followAnew();
      expect(state.ids).toEqual(idsOf(source));
      console.info(
        `back-fill of ${state.applied} blocks: ${(state.applied / seconds).toFixed(0)} blocks/s`,
      );
      expect(await node.stop()).toBe(0);
    },
    WAIT,
  );

  test(
    'two nodes that publish to one stream make one chain of it',
    async () => {
      const nodes = await Promise.all([startPublisher('one'), startPublisher('two')]);
      const folder = newFolder('consumer-of-two');
      const options = {
        server: broker.url,
        ...NAMING,
        journal: join(folder, 'journal'),
        cwd: folder,
      };
      const consumer = await startConsumer(options);
      for (let round = 0; round < 5; round++) {
        await source.mine(4);
        await source.reorganize(random.integer(1, 3));
      }
      const journal = await consumed(options.journal);
      expect(journal.ids).toEqual(idsOf(source));
      await consumer.stop();
      for (const node of nodes) expect(await node.stop()).toBe(0);
    },
    WAIT,
  );
});
