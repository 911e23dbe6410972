import { spawnSync } from 'node:child_process';

/** Runs statements in a process of its own, after functions that they use. Returns the MiB that they wrote. */
function mebibytesOf(statements: string): number[] {
  const program = `
    import { once } from 'node:events';
    import { getHeapSpaceStatistics } from 'node:v8';
    import { Worker } from 'node:worker_threads';
    import { holdYoungGeneration } from '${new URL('../../dist/runtime/young-generation.js', import.meta.url).href}';
    const young = () => getHeapSpaceStatistics().find((space) => space.space_name === 'new_space').space_size;
    const print = () => console.log(young() / 2 ** 20);
    // Each turn leaves so much that lives on that V8 wants to grow.
    async function work(turns) {
      let live = [];
      for (let turn = 0; turn < turns; turn++) {
        for (let i = 0; i < 5000; i++) live.push({ turn, i });
        if (live.length > 100000) live = [];
        await new Promise(setImmediate);
      }
    }
    async function startWorker() {
      const worker = new Worker('', { eval: true });
      await once(worker, 'exit');
    }
    ${statements}`;
  const { stdout, stderr } = spawnSync(
    process.execPath,
    ['--input-type=module', '--eval', program],
    { encoding: 'utf8', env: { ...process.env, NODE_OPTIONS: '' } },
  );
  expect(stderr).toBe('');
  return stdout.trim().split('\n').map(Number);
}

/** Most MiB under the limit. Without it there are 32 on Node 20 to 24. */
const MOST = 16;
/** It may double once too often before V8 is told to stop, when a worker starts at that moment. Without the limit it always does. */
const TRIES = 3;

test('a worker that starts does not end the limit of a node that starts or runs', () => {
  let grown: number[] = [];
  for (let i = 0; i < TRIES && (i === 0 || Math.max(...grown) > MOST); i++) {
    const [started, running = 0, later = 0] = mebibytesOf(`
      const releaseYoungGeneration = holdYoungGeneration();
      await startWorker(); await work(200); print();
      releaseYoungGeneration();
      await work(200); print();
      await startWorker(); await work(200); await startWorker(); await work(200); print();`);
    expect(started).toBeLessThanOrEqual(4);
    expect(running).toBeGreaterThanOrEqual(3);
    grown = [running, later];
  }
  expect(Math.max(...grown)).toBeLessThanOrEqual(MOST);
});
