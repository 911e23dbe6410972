import { execFile } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify, stripVTControlCharacters } from 'node:util';
import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { parseArguments } from '@monero-node/daemon';
import type { Browser, Page } from 'playwright-core';
import { findChromium } from '../harness/chromium.ts';
import { markdownBlocks } from '../harness/markdown-blocks.ts';
import type { RunningNode } from '../harness/monerod.ts';
import { startOurDaemon } from '../harness/our-daemon.ts';
import { newFolder } from '../harness/run-folder.ts';
import { describeUnless, describeWith } from '../harness/skip-without.ts';
import { seriousFindings } from '../page/audit.ts';
import {
  startChromium,
  THEMES,
  visit,
  WIDTHS,
  type Visit,
  type VisitOptions,
} from '../page/visitor.ts';
import { baseOf, brokenLinks, readSite } from '../site/html.ts';
import { guideSteps } from '../site/markdown-guide.ts';
import { serveFolder, type StaticServer } from '../site/static-server.ts';
import { follow, lackOfRegistry, OwnRegistry, type } from '../site/stranger.ts';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const SITE = join(ROOT, '.docs/site');
const WAIT = 300_000;
/** Pages of each kind: the front page, a guide, a wide table, the RPC reference, an API. */
const SAMPLES = [
  'index.html',
  'guides/embed.html',
  'reference/platforms.html',
  'reference/rpc.html',
  'packages/codec/api.html',
];
const isLong = process.env['E2E_LONG'] === '1';
const ALL_LOOKS = (Object.keys(WIDTHS) as (keyof typeof WIDTHS)[]).flatMap((width) =>
  THEMES.map((theme) => ({ width, theme })),
);
/** By day, each width and each theme once. */
const LOOKS = isLong
  ? ALL_LOOKS
  : ALL_LOOKS.filter(({ width, theme }) => (width === 'phone') === (theme === THEMES[0]));
/** By day, one in so many pages is opened. */
const STEP = isLong ? 1 : 3;

// Where the other suites must run, so must this one.
const isRequired = process.env['REQUIRE_MONEROD'] === '1';
const lack = [
  findChromium() === undefined ? 'Chromium is not installed' : undefined,
  existsSync(join(SITE, 'index.html')) ? undefined : 'the site is not built: run "npm run docs"',
].find((each) => each !== undefined);

/** Returns the functions and classes that each package of `packages/` exports, in a Node of its own. */
async function exportedFunctions(): Promise<Record<string, string[]>> {
  const names = readdirSync(join(ROOT, 'packages')).filter((name) =>
    existsSync(join(ROOT, 'packages', name, 'dist/index.js')),
  );
  const program = `
    const result = {};
    for (const name of ${JSON.stringify(names)}) {
      const module = await import('@monero-node/' + name);
      result[name] = Object.keys(module).filter((key) => typeof module[key] === 'function');
    }
    console.log(JSON.stringify(result));
    process.exit();`;
  const args = ['--input-type=module', '--eval', program];
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT });
  return JSON.parse(stdout) as Record<string, string[]>;
}

describeUnless(isRequired ? undefined : lack, 'the documentation site in Chromium', () => {
  const pages = lack === undefined ? readSite(SITE) : [];
  let server: StaticServer;
  let browser: Browser;
  let visits: Visit[] = [];
  const open = async (path: string, options: VisitOptions = {}): Promise<Page> => {
    const opened = await visit(browser, server.url + path, { ready: 'h1', ...options });
    visits.push(opened);
    return opened.page;
  };

  beforeAll(async () => {
    if (lack !== undefined) throw new Error(lack);
    server = await serveFolder(SITE, baseOf(pages));
    browser = await startChromium();
  }, WAIT);
  afterEach(async () => {
    const troubles = visits.flatMap((opened) => opened.troubles);
    for (const { page } of visits) await page.context().close();
    visits = [];
    expect(troubles).toEqual([]);
  });
  afterAll(async () => {
    await browser?.close();
    server?.close();
  });

  test('no link leads nowhere', () => {
    const files = new Set(readdirSync(SITE, { recursive: true, encoding: 'utf8' }));
    const links = pages.reduce((sum, { targets }) => sum + targets.length, 0);
    process.stderr.write(`${pages.length} pages with ${links} links\n`);
    expect(pages.length).toBeGreaterThan(50);
    expect(brokenLinks(pages, files, baseOf(pages))).toEqual([]);
  });

  test(
    `every page opens without an error and without a request to another host (1 in ${STEP})`,
    async () => {
      const page = await open('index.html');
      const opened = pages.filter(({ path }, i) => path !== '404.html' && i % STEP === 0);
      for (const { path } of opened) {
        await page.goto(server.url + path, { waitUntil: 'domcontentloaded' });
        await page.locator('h1').first().waitFor();
      }
    },
    WAIT,
  );

  test(
    'every exported function has an entry in the API, with words',
    async () => {
      const missing: string[] = [];
      for (const [name, functions] of Object.entries(await exportedFunctions())) {
        const api = pages.find(({ path }) => path === `packages/${name}/api.html`);
        for (const each of functions) {
          const entry = api?.html.split(new RegExp(`<h3 id="[^"]*"[^>]*>${each}\\b`))[1];
          if (!/<p>[A-Z]/.test(entry?.split('<h3 ')[0] ?? '')) missing.push(`${name}: ${each}`);
        }
      }
      expect(missing).toEqual([]);
    },
    WAIT,
  );

  test(
    'the search finds a function by its name',
    async () => {
      const page = await open('index.html');
      await page.keyboard.press('Control+k');
      await page.locator('#localsearch-input').fill('parseTransaction');
      const first = page.locator('#localsearch-list a').first();
      await first.getByText('parseTransaction').first().waitFor();
      await page.keyboard.press('Enter');
      await page.waitForURL(/packages\/codec\/api\.html#parsetransaction$/);
      await page.getByRole('heading', { name: 'parseTransaction()' }).first().waitFor();
    },
    WAIT,
  );

  test('the sidebar has the entries of the index docs/README.md, in its order', async () => {
    const index = readFileSync(join(ROOT, 'docs/README.md'), 'utf8');
    const entries = [...index.matchAll(/^- \[(.+?)\]/gm)].map(([, title]) => title);
    expect(entries.length).toBeGreaterThan(40);
    const page = await open('guides/run-a-node.html');
    const links = await page.locator('.VPSidebar a').allTextContents();
    expect(links.map((text) => text.trim())).toEqual(['All pages', ...entries]);
  });

  test('dark mode is switched, and kept', async () => {
    const page = await open('guides/run-a-node.html');
    const background = () =>
      page.evaluate('getComputedStyle(document.body).backgroundColor') as Promise<string>;
    const light = await background();
    await page.locator('.VPNavBar .VPSwitchAppearance').first().click();
    await page.locator('html.dark').waitFor({ state: 'attached' });
    expect(await background()).not.toBe(light);
    await page.reload();
    await page.locator('html.dark').waitFor({ state: 'attached' });
  });

  test.each(LOOKS)(
    'nothing is wider than the window, and all text has contrast: $width, $theme',
    async (look) => {
      for (const path of SAMPLES) {
        const page = await open(path, look);
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(
          WIDTHS[look.width],
        );
        // The colors are this site's; the elements are those of VitePress.
        expect(await seriousFindings(page, 'color-contrast')).toEqual([]);
      }
    },
    WAIT,
  );
});

/** Id of the first transaction of Monero: https://github.com/monero-project/monero, the genesis transaction of mainnet. */
const FIRST_TRANSACTION = 'c88ce9783b4f11190d7b9c17a69c1c52200f9faaee8e98dd07e6811175177139';

/** Returns a guide of this repository as text. */
const guide = (name: string): string =>
  readFileSync(join(ROOT, 'docs/guides', `${name}.md`), 'utf8');

/** Prints how long a stranger takes for a guide. */
function printTime(what: string, start: number): void {
  process.stderr.write(`${what}: ${((Date.now() - start) / 1000).toFixed(1)} s\n`);
}

describeWith(['curl'], 'the programs and commands of the guides', () => {
  const blocks = readdirSync(join(ROOT, 'docs/guides')).flatMap((name) =>
    markdownBlocks(guide(name.replace(/\.md$/, ''))),
  );
  const commands = blocks
    .filter(({ language }) => language === 'sh')
    .flatMap(({ text }) => text.split('\n'));
  let node: RunningNode;
  const ours = (text: string): string => text.replaceAll('18081', String(node.rpc.port));

  beforeAll(async () => {
    node = await startOurDaemon({ offline: true, fixedDifficulty: 1 });
  }, WAIT);
  afterAll(() => node.stop(), WAIT);

  test('nodes are started with options that they know', () => {
    const starts = commands.flatMap(
      (line) =>
        /^(?:\.\/node_modules\/\.bin\/monero-node|npm start --) (.+)$/.exec(line)?.[1] ?? [],
    );
    expect(starts.length).toBeGreaterThan(3);
    for (const options of starts) {
      const words = options.replace(/ +#.*/, '').split(' ');
      expect(parseArguments(words).words).toEqual([]);
    }
  });

  test('calls of a node succeed', async () => {
    const calls = commands.filter((line) => line.startsWith('curl '));
    expect(calls.length).toBeGreaterThan(1);
    for (const line of calls) {
      expect(await type(ours(line), newFolder('guide'))).toMatch(/"status": ?"OK"/);
    }
  });

  test(
    'programs for Node run',
    async () => {
      const folder = newFolder('guide');
      symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
      const programs = blocks.filter(
        ({ language, text }) => language === 'js' && text.includes(':18081'),
      );
      expect(programs.length).toBeGreaterThan(1);
      for (const { text } of programs) {
        writeFileSync(join(folder, 'program.mjs'), ours(text));
        expect(await type('node program.mjs', folder)).toMatch(/fakechain|# pass 1/);
      }
    },
    WAIT,
  );
});

describeUnless(lackOfRegistry(), 'a stranger with the guides', () => {
  test(
    'decodes a transaction in a page made with Vite',
    async () => {
      const steps = guideSteps(guide('embed'), 'A page that decodes a transaction');
      expect(steps.file.text.trim().split('\n').length).toBeLessThanOrEqual(20);
      const registry = await OwnRegistry.open(['codec']);
      const start = Date.now();
      const project = await follow(steps, registry);
      await type('npm run build', project);
      const server = await serveFolder(join(project, 'dist'));
      const browser = await startChromium();
      try {
        const { page, troubles } = await visit(browser, server.url, { ready: 'h2' });
        await page.getByRole('heading', { name: FIRST_TRANSACTION }).waitFor();
        printTime('from npm create vite to a decoded transaction', start);
        await page.locator('textarea').fill('013c');
        await page.getByRole('heading', { name: /offset|end|bytes/ }).waitFor();
        expect(troubles).toEqual([]);
      } finally {
        await browser.close();
        server.close();
        await registry.close();
      }
    },
    WAIT,
  );

  test(
    'has a passing Vitest test on a devnet, from an empty folder',
    async () => {
      const steps = guideSteps(guide('test-with-devnet'), 'From an empty folder to a passing test');
      const example = readFileSync(join(ROOT, 'examples/vitest', steps.file.path), 'utf8');
      expect(steps.file.text).toBe(example);
      const registry = await OwnRegistry.open(['devnet']);
      try {
        const start = Date.now();
        const project = await follow(steps, registry);
        const output = stripVTControlCharacters(await type('npx vitest run', project));
        expect(output).toMatch(/Tests +1 passed/);
        printTime('from an empty folder to a passing test on a devnet', start);
      } finally {
        await registry.close();
      }
    },
    WAIT,
  );
});
