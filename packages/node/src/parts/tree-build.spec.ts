import { silentLogger } from '@monero-node/base';
import { treeBuild } from './tree-build.ts';

/** Starts the part for a chain of 10 blocks. Returns how often it has built, and the errors of the log. */
async function started(treeBlocks: number | undefined, outcome = Promise.resolve()) {
  const errors: string[] = [];
  let builds = 0;
  const chain = {
    height: 10,
    treeBlocks,
    buildTree: () => {
      builds++;
      return outcome;
    },
  };
  const part = treeBuild(chain, { ...silentLogger, error: (line) => void errors.push(line) });
  await part.start();
  await outcome.catch(() => undefined);
  await part.stop();
  return { builds, errors };
}

test('a tree is built only where a chain keeps one that lacks blocks', async () => {
  for (const [treeBlocks, builds] of [
    [undefined, 0],
    [10, 0],
    [9, 1],
    [0, 1],
  ])
    expect(await started(treeBlocks)).toEqual({ builds, errors: [] });
});

test('a build that fails is logged, and the node goes on', async () => {
  const { errors } = await started(0, Promise.reject(new Error('the disk is full')));
  expect(errors).toEqual([
    'building the curve tree failed, the next start goes on: the disk is full',
  ]);
});
