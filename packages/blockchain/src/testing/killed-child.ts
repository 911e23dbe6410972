import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

/**
 * Starts a process that changes the chain in a folder, and kills it a while after it has begun. Returns the heights that it has reported.
 *
 * @param script name of the program, beside this file
 * @param more arguments after the folder
 */
export async function killedAfter(
  milliseconds: number,
  script: string,
  path: string,
  ...more: readonly string[]
): Promise<number[]> {
  const hooks = new URL('../../../../tools/typescript-hooks.mjs', import.meta.url).href;
  const register = `import { register } from 'node:module'; register('${hooks}');`;
  const child = spawn(
    process.execPath,
    [
      '--conditions=@monero-node/source',
      '--import',
      `data:text/javascript,${encodeURIComponent(register)}`,
      fileURLToPath(new URL(script, import.meta.url)),
      path,
      ...more,
    ],
    { stdio: ['ignore', 'pipe', 'inherit'], env: { ...process.env, NODE_OPTIONS: '' } },
  );
  const heights: number[] = [];
  const lines = createInterface({ input: child.stdout });
  const closed = Promise.all([once(lines, 'close'), once(child, 'exit')]);
  lines.on('line', (line) => heights.push(Number(line)));
  await once(lines, 'line');
  await delay(milliseconds);
  child.kill('SIGKILL');
  await closed;
  return heights;
}
