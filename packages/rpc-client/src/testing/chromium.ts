import { spawn, type ChildProcess } from 'node:child_process';
import { accessSync, constants, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Debian's; `CHROMIUM` names another. */
const USUAL_PATH = '/usr/bin/chromium';

/** They let Chromium run in a container and keep it from making connections by itself. */
const FLAGS = [
  '--headless',
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

/** Returns the path of Chromium; undefined when it is not installed. */
export function chromiumPath(): string | undefined {
  const path = process.env['CHROMIUM'] ?? USUAL_PATH;
  try {
    accessSync(path, constants.X_OK);
    return path;
  } catch {
    return undefined;
  }
}

/** Opens a page in a fresh headless browser. Returns what closes it. */
export function openInChromium(path: string, url: string): () => Promise<void> {
  const profile = mkdtempSync(join(tmpdir(), 'chromium-'));
  const browser = spawn(path, [...FLAGS, `--user-data-dir=${profile}`, url], { stdio: 'ignore' });
  return async () => {
    await ended(browser);
    rmSync(profile, { recursive: true, force: true, maxRetries: 5 });
  };
}

function ended(browser: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    if (browser.exitCode !== null) return resolve();
    browser.once('exit', () => resolve());
    browser.kill();
  });
}
