import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parseBlock, parseTransaction, toHex } from '@monero-node/codec';
import { startNode, type DevNode } from '@monero-node/devnet';
import { connectEvents } from '@monero-node/events';
import { recordedBlocks } from '../chain/fixture.ts';
import { NatsServer } from '../events/nats-server.ts';
import { ExplorerProcess } from '../explorer/explorer-process.ts';
import { findPostgres, Postgres } from '../explorer/postgres.ts';
import type { RunningNode } from '../harness/monerod.ts';
import { startOurDaemon } from '../harness/our-daemon.ts';
import { LOOPBACK } from '../harness/ports.ts';
import { newFolder } from '../harness/run-folder.ts';
import { describeWith } from '../harness/skip-without.ts';
import { waitUntil } from '../harness/wait.ts';

/** Recorded blocks, with their transactions, below the ones that are mined here. */
const RECORDED = 120;
/** Messages that the stream keeps once it is trimmed. */
const KEPT = 6;
const WAIT = 240_000;
const STREAM = 'MONERO_REGTEST_CHAIN';

describeWith(
  ['nats-server', findPostgres() === undefined ? 'postgres' : 'nats-server'],
  'a stream that keeps less than consumers lack',
  () => {
    const dataDir = newFolder('publisher');
    let source: DevNode;
    let broker: NatsServer;
    let database: Postgres;
    let node: RunningNode;
    let explorer: ExplorerProcess;
    let fromDump: ExplorerProcess | undefined;
    /** Of the database while its explorer ran, and the height of the newest block in it. */
    let dump: string;

    const startPublisher = (): Promise<RunningNode> =>
      startOurDaemon({
        name: 'publisher',
        dataDir,
        peers: [source.p2pAddress],
        fixedDifficulty: 1,
        extra: ['--events', broker.url],
      });

    /** Asks JetStream something, as its tools do. */
    async function ask(call: string, question: object = {}): Promise<Record<string, unknown>> {
      const connection = await connectEvents({ servers: broker.url });
      const answer = await connection.request(
        `$JS.API.STREAM.${call}.${STREAM}`,
        JSON.stringify(question),
      );
      await connection.close();
      const told = answer.json<Record<string, unknown>>();
      expect(told['error']).toBeUndefined();
      return told;
    }

    async function firstSequence(): Promise<number> {
      const { state } = await ask('INFO');
      return Number((state as Record<string, unknown>)['first_seq']);
    }

    async function nodeHasAll(): Promise<void> {
      const top = (): string => toHex(source.topId);
      await waitUntil('the node', async () => (await node.tip()).id === top(), { timeout: WAIT });
    }

    /** Compares until tables and node are equal; resolves to the last line. */
    async function equalTables(of: ExplorerProcess): Promise<string> {
      await nodeHasAll();
      const url = `http://${LOOPBACK}:${node.rpc.port}`;
      return waitUntil('equal tables', () => of.check(url), { timeout: 120_000, interval: 500 });
    }

    const positionOf = (url: string, column: string): number =>
      Number(database.ask(url, `SELECT coalesce(${column}, 0) FROM position`));

    beforeAll(async () => {
      source = await startNode();
      const recorded = recordedBlocks().filter(({ height }) => height > 0 && height <= RECORDED);
      await source.node.blockchain.addSpan(
        recorded.map(({ block, txs }) => ({
          block: parseBlock(block),
          txs: txs.map((tx) => parseTransaction(tx)),
        })),
        { trust: true },
      );
      [broker, database] = await Promise.all([NatsServer.start(), Postgres.start()]);
      node = await startPublisher();
      explorer = await ExplorerProcess.start({ database: database.url, nats: broker.url });
      await source.mine(10);
      await equalTables(explorer);
    }, WAIT);
    afterAll(async () => {
      await fromDump?.stop();
      await explorer?.stop();
      await node?.stop();
      await broker?.stop();
      await database?.stop();
      await source?.stop();
    }, WAIT);

    test(
      'the tables of a consumer that was stopped equal the chain, once a node sends what the stream has dropped',
      async () => {
        dump = database.dump();
        await explorer.stop();
        const stopped = positionOf(database.url, 'sequence');
        expect(stopped).toBeGreaterThan(0);
        // The newest block in the tables, and those below, leave the chain meanwhile.
        await source.mine(8);
        await source.reorganize(12);
        await nodeHasAll();
        const { config } = await ask('INFO');
        await ask('UPDATE', { ...(config as object), max_msgs: KEPT });
        await waitUntil(
          'the stream to be trimmed',
          async () => (await firstSequence()) > stopped + 1,
        );
        await node.stop();
        await explorer.run();
        const isTold = (): boolean =>
          explorer.output.includes('Events of MONERO_REGTEST are not read');
        await waitUntil('a word about what is missing', isTold, { timeout: 60_000 });
        node = await startPublisher();
        expect(await equalTables(explorer)).toMatch(/: 0 differences$/);
        expect(positionOf(database.url, 'reverted')).toBeGreaterThanOrEqual(4);
      },
      WAIT,
    );

    test(
      'a new consumer begins with a dump of another one, goes on where that was, and has the chain',
      async () => {
        const copy = database.restore('copy', dump);
        const height = positionOf(copy, 'height');
        expect(height).toBe(RECORDED + 10);
        expect(positionOf(copy, 'sequence')).toBeLessThan((await firstSequence()) - 1);
        fromDump = await ExplorerProcess.start({ database: copy, nats: broker.url });
        await source.mine(3);
        expect(await equalTables(fromDump)).toMatch(/^[1-9]\d* blocks, .*: 0 differences$/);
        // It has not begun anew: only what had left the chain was taken back.
        expect(positionOf(copy, 'reverted')).toBe(4);
        expect(positionOf(copy, 'height')).toBe(source.height - 1);
      },
      WAIT,
    );
  },
);
