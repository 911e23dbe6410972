import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import type { Browser } from 'playwright-core';
import { Screen } from '../first-hour/screen.ts';
import { missingPrograms, OUR_DAEMON, requireProgram } from '../harness/binaries.ts';
import { findChromium } from '../harness/chromium.ts';
import { markdownBlocks } from '../harness/markdown-blocks.ts';
import { freePorts, LOOPBACK } from '../harness/ports.ts';
import { newFolder } from '../harness/run-folder.ts';
import { describeUnless, missingCommands } from '../harness/skip-without.ts';
import { startChromium, visit } from '../page/visitor.ts';

const GUIDE = fileURLToPath(new URL('../../../../docs/guides/mine.md', import.meta.url));
const HEADING = 'From the package to a found block';
/** The operator is to type fewer lines than these. */
const MOST_LINES = 20;
/** The ports that the guide names. */
const PORTS = { rpc: '28081', stratum: '3333' };
/** A machine with other work finds the first block in minutes. */
const FOUND_MS = 300_000;
const WAIT = 420_000;
/** Columns of the screen: a longer line is broken, and the screen joins it again. */
const SHELL = ['bash', '--noprofile', '--norc'];

/** What is typed into a terminal, and what it shows then. */
interface Scene {
  readonly typed: readonly string[];
  readonly shown: readonly string[];
}

/** Returns the scenes of the guide; lines that begin with `# `, which install the package, are only counted. */
function readScenes(markdown: string): { scenes: Scene[]; lines: number } {
  const blocks = markdownBlocks(markdown).filter(
    ({ heading, language }) => heading === HEADING && language === 'console',
  );
  let lines = 0;
  const scenes = blocks.map(({ text }) => {
    const typed: string[] = [];
    const shown: string[] = [];
    // A backslash at its end continues a command.
    for (const line of text.replaceAll(/\\\n\s*/g, '').split('\n')) {
      if (/^[$#] /.test(line)) lines += 1;
      if (line.startsWith('$ ')) typed.push(line.slice(2));
      else if (!line.startsWith('# ')) shown.push(line);
    }
    return { typed, shown };
  });
  return { scenes, lines };
}

/** Returns a pattern for a line of the guide. Numbers, times and the spaces between columns differ. */
function patternOf(line: string): RegExp {
  const escaped = line.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(
    escaped.replaceAll(/\d+/g, String.raw`\d+`).replaceAll(/\s+/g, String.raw`\s+`),
  );
}

/** Writes programs of the names that the guide types. xmrig gets one thread, and no colors. */
function writePrograms(folder: string): string {
  const bin = join(folder, 'bin');
  mkdirSync(bin);
  const programs = {
    'monero-node': `"${process.execPath}" "${OUR_DAEMON}" "$@"`,
    xmrig: `"${requireProgram('xmrig')}" "$@" --threads 1 --no-color --no-huge-pages`,
  };
  for (const [name, command] of Object.entries(programs)) {
    const file = join(bin, name);
    writeFileSync(file, `#!/bin/sh\nexec ${command}\n`);
    chmodSync(file, 0o755);
  }
  return bin;
}

function lack(): string | undefined {
  // Where the other suites must run, so must this one.
  if (process.env['REQUIRE_MONEROD'] === '1' && process.env['E2E_CURRENT'] === '1')
    return undefined;
  if (missingPrograms(['xmrig']).length > 0) return 'xmrig is not installed';
  if (missingCommands(['bash']).length > 0) return 'bash is not installed';
  return findChromium() === undefined ? 'Chromium is not installed' : undefined;
}

describeUnless(lack(), 'the commands of the guide to mining', () => {
  let scenes: Scene[];
  let lines: number;
  let rpcPort: number;
  let browser: Browser;
  const screens: Screen[] = [];

  beforeAll(async () => {
    const [rpc = 0, stratum = 0] = await freePorts(2);
    rpcPort = rpc;
    const markdown = readFileSync(GUIDE, 'utf8')
      .replaceAll(PORTS.rpc, String(rpc))
      .replaceAll(PORTS.stratum, String(stratum));
    ({ scenes, lines } = readScenes(markdown));
    browser = await startChromium();
  }, WAIT);

  afterAll(async () => {
    for (const screen of screens.reverse()) screen.press('C-c');
    for (const screen of screens) screen.close();
    await browser.close();
  });

  /** Opens a terminal, as the guide says, in the same folder. */
  function openTerminal(folder: string, bin: string): Screen {
    const path = `PATH=${bin}:${process.env['PATH'] ?? ''}`;
    const clean = ['env', '--unset=NODE_OPTIONS', `--chdir=${folder}`, path, `HOME=${folder}`];
    const screen = new Screen([...clean, ...SHELL], `mine-${rpcPort}-${screens.length}`);
    screens.push(screen);
    return screen;
  }

  test(
    `are at most ${MOST_LINES} lines, and lead to a block on the page`,
    async () => {
      expect(scenes.length).toBeGreaterThanOrEqual(3);
      expect(lines).toBeLessThan(MOST_LINES);
      const folder = newFolder('guide');
      const bin = writePrograms(folder);
      for (const { typed, shown } of scenes) {
        const screen = openTerminal(folder, bin);
        for (const line of typed) screen.type(line);
        await screen.shows(shown.map(patternOf), FOUND_MS);
      }
      const [node] = screens;
      await node?.shows([/Block \d+ found by rig1/], FOUND_MS);

      const opened = await visit(browser, `http://${LOOPBACK}:${rpcPort}/`);
      const found = opened.page.getByRole('region', { name: 'List of blocks found' });
      await found.getByText('rig1').first().waitFor();
      await opened.page.getByRole('heading', { name: 'Rigs', exact: true }).waitFor();
      expect(opened.troubles).toEqual([]);
      await opened.page.context().close();
    },
    WAIT,
  );
});
