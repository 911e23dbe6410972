import { execFile } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import type { Browser, Page } from 'playwright-core';
import { findChromium } from '../harness/chromium.ts';
import { describeUnless } from '../harness/skip-without.ts';
import { startChromium, visit, type Visit } from '../page/visitor.ts';
import { baseOf, readSite } from '../site/html.ts';
import { serveFolder, type StaticServer } from '../site/static-server.ts';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const SITE = join(ROOT, '.docs/site');
const WAIT = 120_000;

// Where the other suites must run, so must this one.
const isRequired = process.env['REQUIRE_MONEROD'] === '1';
const lack = [
  findChromium() === undefined ? 'Chromium is not installed' : undefined,
  existsSync(join(SITE, 'playground')) ? undefined : 'the site is not built: run "npm run docs"',
].find((each) => each !== undefined);

/** Returns what a program of examples/ prints with Node. */
async function printedByNode(name: string): Promise<string> {
  const { stdout } = await promisify(execFile)('node', [`examples/${name}.mjs`], { cwd: ROOT });
  return stdout.trimEnd();
}

/** Leaves out the key image of an account that one recipe makes by chance. */
const fixedPart = (printed: string): string =>
  printed.replace(/key image [0-9a-f]{64}/, 'key image');

/** Returns the names of the recipes. */
function recipes(): string[] {
  if (lack !== undefined) return ['none'];
  const text = readFileSync(join(SITE, 'playground/recipes.json'), 'utf8');
  return (JSON.parse(text) as { name: string }[]).map(({ name }) => name);
}

describeUnless(isRequired ? undefined : lack, 'the playground in Chromium', () => {
  let server: StaticServer;
  let browser: Browser;
  let visited: Visit | undefined;
  const open = async (path: string): Promise<Page> => {
    visited = await visit(browser, server.url + path, { ready: 'h1' });
    return visited.page;
  };
  const playground = async (): Promise<Page> => {
    const page = await open('guides/playground.html');
    await status(page, 'ready');
    return page;
  };
  const status = (page: Page, text: string): Promise<void> =>
    page.getByRole('status').getByText(text, { exact: true }).waitFor();
  const output = (page: Page): Promise<string> =>
    page.getByLabel('Output', { exact: true }).innerText();
  /** Runs a program as somebody who types it. */
  const run = async (page: Page, program: string): Promise<void> => {
    await page.locator('.cm-content').fill(program);
    await page.getByRole('button', { name: 'Run' }).click();
  };

  beforeAll(async () => {
    if (lack !== undefined) throw new Error(lack);
    server = await serveFolder(SITE, baseOf(readSite(SITE)));
    browser = await startChromium();
  }, WAIT);
  afterEach(async () => {
    await visited?.page.context().close();
    expect(visited?.troubles).toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  test.each(recipes())(
    'the recipe %s prints what it prints with Node',
    async (name) => {
      const page = await playground();
      await page.getByLabel('Recipe').selectOption(name);
      await page.getByRole('button', { name: 'Run' }).click();
      await status(page, 'ended');
      expect(fixedPart(await output(page))).toBe(fixedPart(await printedByNode(name)));
    },
    WAIT,
  );

  test(
    'an error is shown, and a program goes on until it is stopped',
    async () => {
      const page = await playground();
      await run(page, `import { parseAddress } from '@monero-node/codec'; parseAddress('4abc');`);
      await status(page, 'failed');
      expect(await output(page)).toContain('DecodeError: "4abc" is not an address');
      await run(page, 'let i = 0; setInterval(() => console.log(i++, 5n, new Uint8Array(2)), 1);');
      await status(page, 'ended');
      await run(page, 'console.log("waiting"); await new Promise(() => {});');
      await page.getByLabel('Output', { exact: true }).getByText('waiting').waitFor();
      await status(page, 'running');
      await page.getByRole('button', { name: 'Stop' }).click();
      await status(page, 'stopped');
      // Nothing of the programs before is left.
      expect(await output(page)).toBe('waiting');
    },
    WAIT,
  );

  test(
    'a program reaches nothing of the site, and cannot fill the page',
    async () => {
      const page = await playground();
      await run(
        page,
        `for (const reach of [() => parent.document, () => localStorage, () => document.cookie])
          try { console.log('reached', reach()); } catch ({ name }) { console.log(name); }
        for (let i = 0; i < 100_000; i++) console.log('line');`,
      );
      await status(page, 'ended');
      const lines = (await output(page)).split('\n');
      expect(lines.slice(0, 3)).toEqual(['SecurityError', 'SecurityError', 'SecurityError']);
      expect(lines.at(-1)).toBe('… and more');
      expect(lines.length).toBeLessThan(2100);
    },
    WAIT,
  );

  test(
    'a link names a recipe, and examples show their programs',
    async () => {
      let page = await open('examples/decode-any.html');
      await page.getByRole('link', { name: 'Run it in the playground' }).click();
      await status(page, 'ready');
      expect(await page.getByLabel('Recipe').inputValue()).toBe('decode-any');
      await page.getByRole('link', { name: 'browser', exact: true }).click();
      await page.locator('.cm-content').getByText('createWasmBackend').first().waitFor();
      await page.context().close();
      page = await open('examples/shop.html');
      const shop = readFileSync(join(ROOT, 'examples/shop/shop.mjs'), 'utf8');
      expect(await page.locator('.vp-code').allInnerTexts()).toContain(shop.trimEnd());
    },
    WAIT,
  );

  test.each(['verify-page', 'membership-page', 'scan-page'])(
    'the page %s is part of the site',
    async (name) => {
      const page = await open(`examples/${name}.html`);
      const link = page.getByRole('link', { name: 'Open the page' });
      const target = await link.evaluate(
        (element) => (element as unknown as { href: string }).href,
      );
      await page.context().close();
      visited = await visit(browser, target, { ready: 'h1' });
      expect(await visited.page.locator('form').count()).toBe(1);
    },
    WAIT,
  );

  test(
    'a page verifies membership proofs, and refuses changed ones',
    async () => {
      const page = await open('pages/membership-page/index.html');
      const proofs = page.getByLabel('Proof of');
      await proofs.locator('option').nth(1).waitFor({ state: 'attached' });
      expect(await proofs.locator('option').count()).toBeGreaterThan(10);
      for (const proof of [
        '1 input(s) over 1 layers, 3616 bytes',
        '2 input(s) over 4 layers, 7232 bytes',
      ]) {
        await proofs.selectOption(proof);
        for (const verdict of [
          /^Valid, verified in \d+ ms\.$/,
          /^Not valid, verified in \d+ ms\.$/,
        ]) {
          await page.getByRole('button', { name: 'Verify' }).click();
          await page.locator('output', { hasText: verdict }).waitFor();
          await page.getByRole('checkbox').click();
        }
      }
    },
    WAIT,
  );
});
