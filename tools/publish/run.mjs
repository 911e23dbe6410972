// Starts programs.
import { execFile } from 'node:child_process';

const TIME_LIMIT_MS = 300_000;

/**
 * Runs a program and resolves with { ok, output, stdout }, where output is everything that it printed. After `limitMs` milliseconds it is
 * ended, which is not ok.
 */
export function run(command, args, { cwd, env, limitMs = TIME_LIMIT_MS } = {}) {
  return new Promise((resolve) => {
    const options = {
      cwd,
      env: { ...process.env, ...env },
      timeout: limitMs,
      maxBuffer: 64 * 1024 * 1024,
    };
    execFile(command, args, options, (error, stdout, stderr) => {
      resolve({ ok: error === null, output: `${stdout}${stderr}`.trim(), stdout });
    });
  });
}

/** Calls `task` for every item, `width` of them at a time, and resolves with the results in order. */
export async function forEachAtOnce(width, items, task) {
  const results = [];
  const queue = [...items.entries()];
  const worker = async () => {
    for (let next = queue.shift(); next !== undefined; next = queue.shift()) {
      results[next[0]] = await task(next[1]);
    }
  };
  await Promise.all(Array.from({ length: width }, worker));
  return results;
}
