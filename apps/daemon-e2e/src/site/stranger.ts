// Follows a guide as its reader does: types the commands, writes the file, with packages from a registry on loopback.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { ManagedProcess, run } from '../harness/processes.ts';
import { newFolder } from '../harness/run-folder.ts';
import { FatalWaitError, waitUntil } from '../harness/wait.ts';
import type { GuideSteps } from './markdown-guide.ts';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));
const LIMIT = 180_000;
/** No questions and no advice. */
const QUIET = { npm_config_yes: 'true', npm_config_audit: 'false', npm_config_fund: 'false' };

/** Returns why packages of others cannot be installed here; undefined when they can. */
export function lackOfRegistry(): string | undefined {
  const args = ['view', 'create-vite', 'version', '--fetch-retries=0', '--fetch-timeout=10000'];
  const { status } = spawnSync('npm', args, { timeout: 20_000, stdio: 'ignore' });
  return status === 0 ? undefined : 'the npm registry cannot be reached';
}

/** A registry with packages of this repository, as they would be published. */
export class OwnRegistry {
  readonly url: string;
  readonly #process: ManagedProcess;

  private constructor(url: string, process: ManagedProcess) {
    this.url = url;
    this.#process = process;
  }

  /** Packs packages and serves them. `names`: without the scope; what they depend on is served too. */
  static async open(names: readonly string[]): Promise<OwnRegistry> {
    const server = await ManagedProcess.start({
      name: 'registry',
      program: process.execPath,
      args: [join(ROOT, 'tools/publish-serve.mjs'), '--only', names.join(',')],
      cwd: ROOT,
    });
    const url = await waitUntil(
      'the registry',
      () => {
        if (!server.running) throw new FatalWaitError(`the registry ended:\n${server.tail()}`);
        return /registry=(\S+)\n/.exec(server.output())?.[1];
      },
      { timeout: LIMIT },
    );
    return new OwnRegistry(url, server);
  }

  async close(): Promise<void> {
    await this.#process.stop();
  }
}

/** Runs commands in a folder. Returns what they print. Throws Error when one fails. */
export function type(commands: string, folder: string): Promise<string> {
  const args = ['-e', '-c', commands];
  return run({ name: 'stranger', program: 'bash', args, cwd: folder, env: QUIET }, LIMIT);
}

/** Follows the steps of a guide in a new folder and returns the folder of the project. Throws Error when a command fails. */
export async function follow(steps: GuideSteps, registry: OwnRegistry): Promise<string> {
  const folder = newFolder('stranger');
  const name = /\bcd (\S+)$/m.exec(steps.commands)?.[1];
  if (name === undefined) throw new Error('the guide does not enter its project');
  // The only step that no guide names: the packages of this checkout are not published yet.
  const setting = `echo '@monero-node:registry=${registry.url}' >.npmrc`;
  await type(
    steps.commands.replace(/\bcd \S+$/m, (line) => `${line}\n${setting}`),
    folder,
  );
  const project = join(folder, name);
  writeFileSync(join(project, steps.file.path), steps.file.text);
  return project;
}
