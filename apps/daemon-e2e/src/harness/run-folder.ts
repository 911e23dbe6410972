import { mkdirSync, mkdtempSync } from 'node:fs';
import { cp, mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Environment variable that names the folder of one run; its children inherit it. */
const HOME_VARIABLE = 'MONERO_NODE_E2E_HOME';

/**
 * The folder of this run: data folders, logs and the list of started processes. Made when the
 * variable is not set, which then names it for everything this process starts.
 */
export function runHome(): string {
  const named = process.env[HOME_VARIABLE];
  if (named !== undefined && named !== '') {
    mkdirSync(named, { recursive: true });
    return named;
  }
  const made = mkdtempSync(join(tmpdir(), 'monero-node-e2e-'));
  process.env[HOME_VARIABLE] = made;
  return made;
}

/** Creates an empty folder in the folder of this run. */
export function newFolder(name: string): string {
  return mkdtempSync(join(runHome(), `${name}-`));
}

/** Creates a folder with a copy of `source`. */
export async function copyFolder(source: string, name: string): Promise<string> {
  const target = newFolder(name);
  await mkdir(target, { recursive: true });
  await cp(source, target, { recursive: true });
  return target;
}
