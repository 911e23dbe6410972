import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { connectEvents } from '@monero-node/events';
import { ExploredChain } from '../explorer/explored-chain.ts';
import { ExplorerProcess } from '../explorer/explorer-process.ts';
import { findPostgres } from '../explorer/postgres.ts';
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
    let chain: ExploredChain;
    let fromDump: ExplorerProcess | undefined;
    /** Of the database while its explorer ran. */
    let dump: string;

    /** Asks JetStream something, as its tools do. */
    async function ask(call: string, question: object = {}): Promise<Record<string, unknown>> {
      const connection = await connectEvents({ servers: chain.broker.url });
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

    const positionOf = (url: string, column: string): number =>
      Number(chain.database.ask(url, `SELECT coalesce(${column}, 0) FROM position`));

    beforeAll(async () => {
      chain = await ExploredChain.start(RECORDED);
      await chain.source.mine(10);
      await chain.equalTables();
    }, WAIT);
    afterAll(async () => {
      await fromDump?.stop();
      await chain?.stop();
    }, WAIT);

    test(
      'the tables of a consumer that was stopped equal the chain, once a node sends what the stream has dropped',
      async () => {
        const { source, database, explorer } = chain;
        dump = database.dump();
        await explorer.stop();
        const stopped = positionOf(database.url, 'sequence');
        expect(stopped).toBeGreaterThan(0);
        // The newest block in the tables, and those below, leave the chain meanwhile.
        await source.mine(8);
        await source.reorganize(12);
        await chain.nodeHasAll();
        const { config } = await ask('INFO');
        await ask('UPDATE', { ...(config as object), max_msgs: KEPT });
        await waitUntil(
          'the stream to be trimmed',
          async () => (await firstSequence()) > stopped + 1,
        );
        await chain.node.stop();
        await explorer.run();
        const isTold = (): boolean =>
          explorer.output.includes('Events of MONERO_REGTEST are not read');
        await waitUntil('a word about what is missing', isTold, { timeout: 60_000 });
        await chain.restartNode();
        expect(await chain.equalTables()).toMatch(/: 0 differences$/);
        expect(positionOf(database.url, 'reverted')).toBeGreaterThanOrEqual(4);
      },
      WAIT,
    );

    test(
      'a new consumer begins with a dump of another one, goes on where that was, and has the chain',
      async () => {
        const { source, broker, database } = chain;
        const copy = database.restore('copy', dump);
        const height = positionOf(copy, 'height');
        expect(height).toBe(RECORDED + 10);
        expect(positionOf(copy, 'sequence')).toBeLessThan((await firstSequence()) - 1);
        fromDump = await ExplorerProcess.start({ database: copy, nats: broker.url });
        await source.mine(3);
        expect(await chain.equalTables(fromDump)).toMatch(/^[1-9]\d* blocks, .*: 0 differences$/);
        // It has not begun anew: only what had left the chain was taken back.
        expect(positionOf(copy, 'reverted')).toBe(4);
        expect(positionOf(copy, 'height')).toBe(source.height - 1);
      },
      WAIT,
    );
  },
);
