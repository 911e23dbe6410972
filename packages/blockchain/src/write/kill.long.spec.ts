import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { setTimeout as delay } from 'node:timers/promises';
import { sampleSize } from '@monero-node/base/testing';
import { createMemoryStore, openLmdbStore } from '@monero-node/storage';
import { describeChain } from '../testing/describe-chain.ts';
import { BLOCKS_PER_COMMIT, outputBranch } from '../testing/output-branch.ts';
import { bundleOf, EASY, startTestChain } from '../testing/test-chain.ts';

const KILLS = sampleSize({ usual: 3, whole: 10 });
const blocks = outputBranch().map(bundleOf);

let path: string;

beforeEach(() => {
  path = mkdtempSync(join(tmpdir(), 'blockchain-kill-'));
});

afterEach(() => {
  rmSync(path, { recursive: true });
});

/** Starts a process that adds the blocks, and kills it a while after it has begun. Returns the heights that it has reported. */
async function killedAfter(milliseconds: number): Promise<number[]> {
  const hooks = new URL('../../../../tools/typescript-hooks.mjs', import.meta.url).href;
  const register = `import { register } from 'node:module'; register('${hooks}');`;
  const child = spawn(
    process.execPath,
    [
      '--conditions=@monero-node/source',
      '--import',
      `data:text/javascript,${encodeURIComponent(register)}`,
      fileURLToPath(new URL('../testing/span-child.ts', import.meta.url)),
      path,
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

test('killed while one run is stored and the next is verified, a chain has what it has announced', async () => {
  for (let round = 0; round < KILLS; round++) {
    const heights = await killedAfter(Math.random() * 200);
    const reported = heights.at(-1) as number;
    const store = await openLmdbStore({ path });
    // At most the commit that was under way has been finished besides.
    expect(store.height).toBeGreaterThanOrEqual(reported);
    expect(store.height).toBeLessThanOrEqual(reported + BLOCKS_PER_COMMIT);
    const twin = await startTestChain(EASY, createMemoryStore());
    await twin.chain.addSpan(blocks.slice(0, store.height - 1), { trust: true });
    expect(describeChain(store)).toEqual(describeChain(twin.store));
    await store.close();
  }
  const store = await openLmdbStore({ path });
  const { chain } = await startTestChain(EASY, store);
  await chain.addSpan(blocks.slice(chain.height - 1), { trust: true });
  expect(chain.topId).toEqual(blocks.at(-1)?.block.id);
  await store.close();
}, 120_000);
