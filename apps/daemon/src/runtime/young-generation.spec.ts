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

test('a worker that starts does not end the limit of a node that starts or runs', () => {
  const [started, running, later] = mebibytesOf(`
    const releaseYoungGeneration = holdYoungGeneration();
    await startWorker(); await work(200); print();
    releaseYoungGeneration();
    await work(200); print();
    await startWorker(); await work(200); await startWorker(); await work(200); print();`);
  // Without a limit it is 32 MiB on Node 20 to 24. V8 may double once more before it is told to stop.
  expect(started).toBeLessThanOrEqual(4);
  expect(running).toBeGreaterThanOrEqual(3);
  expect(running).toBeLessThanOrEqual(16);
  expect(later).toBeLessThanOrEqual(16);
});
