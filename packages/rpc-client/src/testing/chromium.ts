import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, mkdtempSync } from 'node:fs';
import { rm } from 'node:fs/promises';
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
  const browser = spawn(path, [...FLAGS, `--user-data-dir=${profile}`, url], {
    stdio: 'ignore',
    detached: true,
  });
  return async () => {
    await killed(browser);
    // A helper process may write its last file while the folder is being removed, so the removal is repeated.
    await rm(profile, { recursive: true, force: true, maxRetries: 10 });
  };
}

/** Kills the browser and its helper processes, which share its process group. */
async function killed(browser: ChildProcess): Promise<void> {
  if (browser.pid === undefined) return;
  const exit = browser.exitCode === null ? once(browser, 'exit') : undefined;
  try {
    process.kill(-browser.pid, 'SIGKILL');
  } catch {
    // The whole group has ended.
  }
  await exit;
}
