import { Router, type Request, type Response } from 'express';
import type { Database } from '../database/database.ts';
import { blockList, blockPage } from '../page/block-pages.ts';
import { livePart } from '../page/home.ts';
import { html, type Html } from '../page/html.ts';
import { layout } from '../page/layout.ts';
import { keyImagePage, keyPage, outputPage, poolPage } from '../page/output-pages.ts';
import { poolTransactionPage, transactionPage } from '../page/transaction-page.ts';
import { findBlock, newestBlocks, readTotals, transactionsOf } from '../queries/block-queries.ts';
import { bestOfPool, findPoolTransaction, readPoolSummary } from '../queries/pool-queries.ts';
import type { OutputRow } from '../queries/rows.ts';
import { MAX_QUERY, search } from '../queries/search.ts';
import * as transactions from '../queries/transaction-queries.ts';

const BLOCKS_A_PAGE = 50;
const TRANSACTIONS_A_PAGE = 100;
const POOL_A_PAGE = 500;
const USES_A_PAGE = 50;
const OUTPUTS_A_PAGE = 100;
const INT4_MAX = 2 ** 31 - 1;

/** The parts of a page, once what it shows has been found. */
interface Found {
  readonly title: string;
  readonly body: Html;
}

/** Returns what shows a page; 404 when there is nothing to show. */
class Pages {
  readonly #database: Database;

  constructor(database: Database) {
    this.#database = database;
  }

  async send(response: Response, found: Found | undefined, query = ''): Promise<void> {
    const { height } = await readTotals(this.#database);
    const nothing = {
      title: 'Nothing found',
      body: html`<h1>Nothing found</h1>
        <p class="soft">
          The chain up to block ${height} and the pool have nothing by that name.
        </p>`,
    };
    if (found === undefined) response.status(404);
    response.type('html').send(layout({ ...(found ?? nothing), height, query }).text);
  }

  async block(request: Request): Promise<Found | undefined> {
    const name = textOf(request.params['name']);
    const which = hashOf(name) ?? numberOf(name, INT4_MAX);
    const block = which === undefined ? undefined : await findBlock(this.#database, which);
    if (block === undefined) return undefined;
    const { height } = await readTotals(this.#database);
    const from = numberOf(textOf(request.query['from']), INT4_MAX) ?? 0;
    const list = await transactionsOf(this.#database, {
      height: block.height,
      from,
      count: TRANSACTIONS_A_PAGE,
    });
    return { title: `Block ${block.height}`, body: blockPage(block, list, height) };
  }

  async transaction(request: Request): Promise<Found | undefined> {
    const id = hashOf(textOf(request.params['id']));
    if (id === undefined) return undefined;
    const database = this.#database;
    const title = `Transaction ${id.slice(0, 8)}`;
    const tx = await transactions.findTransaction(database, id);
    if (tx === undefined) {
      const waiting = await findPoolTransaction(database, id);
      return waiting && { title, body: poolTransactionPage(waiting) };
    }
    const [inputs, members, outputs, { height: tip }] = await Promise.all([
      transactions.inputsOf(database, tx),
      transactions.ringMembersOf(database, tx),
      transactions.outputsOf(database, tx),
      readTotals(database),
    ]);
    return { title, body: transactionPage({ tx, inputs, members, outputs, tip }) };
  }

  async output(request: Request): Promise<Found | undefined> {
    const index = numberOf(textOf(request.params['index']), Number.MAX_SAFE_INTEGER);
    const amount = /^\d{1,20}$/.exec(textOf(request.query['amount']))?.[0] ?? '0';
    if (index === undefined) return undefined;
    const output = await transactions.findOutput(this.#database, { amount, index });
    return output && this.#outputPage(output);
  }

  async key(request: Request): Promise<Found | undefined> {
    const key = hashOf(textOf(request.params['key']));
    if (key === undefined) return undefined;
    const found = await transactions.outputsWithKey(this.#database, {
      key,
      count: OUTPUTS_A_PAGE,
    });
    const [first] = found;
    if (first === undefined) return undefined;
    if (found.length === 1) return this.#outputPage(first);
    return { title: 'Outputs with one key', body: keyPage(key, found) };
  }

  async #outputPage(output: OutputRow): Promise<Found> {
    const uses = await transactions.usesOf(this.#database, {
      amount: output.index_amount,
      index: output.global_index,
      count: USES_A_PAGE,
    });
    return { title: `Output #${output.global_index}`, body: outputPage(output, uses) };
  }

  async keyImage(request: Request): Promise<Found | undefined> {
    const image = hashOf(textOf(request.params['image']));
    if (image === undefined) return undefined;
    const found = await transactions.findKeyImage(this.#database, image);
    return found && { title: 'Key image', body: keyImagePage(image, found) };
  }

  async blocks(request: Request): Promise<Found> {
    const upTo = numberOf(textOf(request.query['upTo']), INT4_MAX) ?? INT4_MAX;
    const blocks = await newestBlocks(this.#database, { upTo, count: BLOCKS_A_PAGE });
    return { title: 'Blocks', body: blockList(blocks) };
  }

  async pool(): Promise<Found> {
    const rows = await bestOfPool(this.#database, POOL_A_PAGE);
    return { title: 'Pool', body: poolPage(rows, await readPoolSummary(this.#database)) };
  }
}

/** Returns the pages. Express answers what a handler throws. */
export function pageRoutes(database: Database): Router {
  const router = Router();
  const pages = new Pages(database);
  const show =
    (find: (request: Request) => Promise<Found | undefined>) =>
    async (request: Request, response: Response): Promise<void> =>
      pages.send(response, await find(request));
  router.get('/', async (_, response) => {
    const { part } = await livePart(database);
    await pages.send(response, { title: 'Blocks', body: html`<div id="live">${part}</div>` });
  });
  router.get('/live', async (_, response) => {
    response.type('html').send((await livePart(database)).part.text);
  });
  router.get('/search', async (request, response) => {
    const query = textOf(request.query['q']).slice(0, MAX_QUERY);
    const path = await search(database, query);
    if (path === undefined) await pages.send(response, undefined, query);
    else response.redirect(303, path);
  });
  router.get(
    '/blocks',
    show((request) => pages.blocks(request)),
  );
  router.get(
    '/block/:name',
    show((request) => pages.block(request)),
  );
  router.get(
    '/tx/:id',
    show((request) => pages.transaction(request)),
  );
  router.get(
    '/output/:index',
    show((request) => pages.output(request)),
  );
  router.get(
    '/key/:key',
    show((request) => pages.key(request)),
  );
  router.get(
    '/key-image/:image',
    show((request) => pages.keyImage(request)),
  );
  router.get(
    '/pool',
    show(() => pages.pool()),
  );
  return router;
}

/** Returns a parameter of a request as text: empty when it is missing, a list or an object. */
function textOf(parameter: unknown): string {
  return typeof parameter === 'string' ? parameter : '';
}

/** Returns 64 hex digits in lower case; undefined for anything else. */
function hashOf(text: string): string | undefined {
  return /^[0-9a-f]{64}$/i.test(text) ? text.toLowerCase() : undefined;
}

/** Returns a whole number from 0 to `most`; undefined for anything else. */
function numberOf(text: string, most: number): number | undefined {
  return /^\d{1,16}$/.test(text) && Number(text) <= most ? Number(text) : undefined;
}
