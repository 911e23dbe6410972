import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { parseTransaction, toHex } from '@monero-node/codec';
import type { DevNode } from '@monero-node/devnet';
import type { Browser, Page } from 'playwright-core';
import { recordedBlocks } from '../chain/fixture.ts';
import { ExploredChain } from '../explorer/explored-chain.ts';
import { findPostgres } from '../explorer/postgres.ts';
import { findChromium } from '../harness/chromium.ts';
import { describeWith } from '../harness/skip-without.ts';
import { sleep, waitUntil } from '../harness/wait.ts';
import { seriousFindings } from '../page/audit.ts';
import { startChromium, THEMES, visit, WIDTHS } from '../page/visitor.ts';
import { Random } from '../recorder/random.ts';

const isLong = process.env['E2E_LONG'] === '1';
/** Recorded blocks, with their transactions, below the ones that are mined here. */
const RECORDED = isLong ? 600 : 240;
const ROUNDS = isLong ? 20 : 4;
const DEEPEST = isLong ? 10 : 6;
const WAIT = isLong ? 1_500_000 : 240_000;
const VICTIMS = ['consumer', 'database', 'broker', 'node'] as const;

const programs = ['nats-server', findPostgres() === undefined ? 'postgres' : 'nats-server'];
if (findChromium() === undefined) programs.push('chromium');

describeWith(programs, 'the explorer', () => {
  const seed = Number(process.env['E2E_SEED'] ?? Date.now() % 1_000_000);
  const random = new Random(seed);
  let chain: ExploredChain;
  beforeAll(async () => {
    chain = await ExploredChain.start(RECORDED);
  }, WAIT);
  afterAll(() => chain?.stop(), WAIT);

  test(
    `after ${ROUNDS} reorganizations and kills of every process, the tables equal the node's answers (E2E_SEED=${seed})`,
    async () => {
      const { source, broker, database, explorer } = chain;
      const kills = {
        consumer: async () => {
          await explorer.kill();
          await source.mine(random.integer(0, 3));
          await explorer.run();
        },
        database: async () => {
          await database.kill();
          await source.mine(random.integer(0, 3));
          await database.run();
        },
        broker: async () => {
          await broker.kill();
          await source.mine(random.integer(0, 3));
          await broker.run();
        },
        node: async () => {
          await chain.node.process.kill();
          await source.mine(random.integer(0, 3));
          await chain.restartNode();
        },
      };
      for (let round = 0; round < ROUNDS; round++) {
        await source.reorganize(random.integer(1, DEEPEST));
        await sleep(random.uniform(0, 400));
        await kills[VICTIMS[round % VICTIMS.length] ?? 'consumer']();
        await source.mine(random.integer(1, 4));
      }
      const result = await chain.equalTables();
      process.stderr.write(`${result}\n`);
      expect(result).toMatch(/: 0 differences$/);
      expect(result).toMatch(/^[1-9]\d* blocks, [1-9]\d* transactions, [1-9]\d* outputs, [1-9]/);
    },
    WAIT,
  );

  test(
    'transactions that a reorganization returns are in the pool of both',
    async () => {
      const { source } = chain;
      // Down to blocks with transactions, which the new branch does not have.
      await source.reorganize(source.height - RECORDED + 40);
      const { transactions } = await source.rpc.path('/get_transaction_pool');
      expect(transactions.length).toBeGreaterThan(0);
      const result = await chain.equalTables();
      process.stderr.write(`${result}\n`);
      expect(result).toMatch(/, [1-9]\d* in the pool: 0 differences$/);
    },
    WAIT,
  );

  test(
    'tables that lack blocks are found to differ',
    async () => {
      const { source, node, explorer } = chain;
      const { height } = await node.tip();
      await source.mine(1);
      await waitUntil('the node', async () => (await node.tip()).height > height);
      await explorer.kill();
      await source.mine(1);
      await chain.nodeHasAll();
      await expect(explorer.check(chain.nodeUrl)).rejects.toThrow('node only: outputs: ');
      await explorer.run();
      await waitUntil('the page', async () => (await fetch(explorer.url)).ok);
      expect(await chain.equalTables()).toMatch(/: 0 differences$/);
    },
    WAIT,
  );

  describeBrowser({
    source: () => chain.source,
    url: () => chain.explorer.url,
  });
});

interface Parts {
  readonly source: () => DevNode;
  readonly url: () => string;
}

/** Types into the search and waits for the heading of the page that it leads to. */
async function find(page: Page, text: string, heading: string): Promise<void> {
  await page.getByRole('searchbox', { name: 'Search' }).fill(text);
  await page.getByRole('button', { name: 'Search' }).click();
  await page.getByRole('heading', { level: 1, name: heading }).waitFor();
}

function describeBrowser({ source, url }: Parts): void {
  let browser: Browser;
  beforeAll(async () => {
    browser = await startChromium();
    // The node, the broker, PostgreSQL and the explorer have all just been started.
    const look = async () => (await fetch(`${url()}block/${source().height - 1}`)).ok;
    await waitUntil('the recorded blocks', look, { timeout: 180_000 });
  }, WAIT);
  afterAll(() => browser?.close());

  /** A recorded transaction that is still in the chain, with the node's own words about it. */
  async function knownTransaction() {
    const recorded = recordedBlocks().find(
      ({ txs, height }) => txs.length > 0 && height < RECORDED,
    );
    const [blob = new Uint8Array(0)] = recorded?.txs ?? [];
    const parsed = parseTransaction(blob);
    const id = toHex(parsed.id);
    const { txs } = await source().rpc.path('/get_transactions', { txs_hashes: [id] });
    const [input] = parsed.tx.inputs;
    if (input?.kind !== 'key') throw new Error('a transaction without inputs');
    return {
      id,
      height: String(recorded?.height),
      keyImage: toHex(input.keyImage),
      index: String(txs[0]?.output_indices[0]),
    };
  }

  test(
    'a block, a transaction, an output and a key image are found, and markup is not',
    async () => {
      const { id, height, keyImage, index } = await knownTransaction();
      const { page, troubles } = await visit(browser, url());
      await find(page, height, `Block ${height}`);
      const blockId = await page.locator('.facts .hash').first().textContent();
      await find(page, blockId?.trim() ?? '', `Block ${height}`);
      await find(page, id, 'Transaction');
      expect(await page.locator('.facts .hash').first().textContent()).toBe(id);
      await find(page, `#${index}`, `Output #${index}`);
      const key = await page.locator('.facts .hash').first().textContent();
      await find(page, key ?? '', `Output #${index}`);
      await find(page, keyImage, 'Key image');
      expect(await page.locator('main a.hash').first().textContent()).toBe(id);
      expect(troubles).toEqual([]);
      await find(page, '"><script>alert(1)</script>', 'Nothing found');
      expect(await page.locator('main script').count()).toBe(0);
      await page.context().close();
    },
    WAIT,
  );

  test(
    'a new block appears by itself',
    async () => {
      const { page, troubles } = await visit(browser, url());
      await page.locator('#state[data-state=live]').waitFor();
      await source().mine(1);
      await page.locator(`.card.new[data-height="${source().height - 1}"]`).waitFor();
      expect(await page.locator('#tip').textContent()).toBe(String(source().height - 1));
      // It stays marked when the next change replaces the part of the page that it is in.
      await source().mine(1);
      await page.locator(`.card.new[data-height="${source().height - 1}"]`).waitFor();
      expect(await page.locator('.card.new').count()).toBe(2);
      expect(troubles).toEqual([]);
      await page.context().close();
    },
    WAIT,
  );

  const looks = (Object.keys(WIDTHS) as (keyof typeof WIDTHS)[]).flatMap((width) =>
    THEMES.map((theme) => ({ width, theme })),
  );
  test.each(looks)(
    'axe-core finds nothing serious: $width, $theme',
    async (look) => {
      const { page, troubles } = await visit(browser, url(), look);
      expect(await seriousFindings(page)).toEqual([]);
      await page.context().close();
      expect(troubles).toEqual([]);
    },
    WAIT,
  );
}
