import { FakeDaemon } from '../testing/fake-daemon.ts';
import type { OwnState } from './command.ts';
import { runCommand } from './commands.ts';

const INFO = {
  height: 1217,
  target_height: 0,
  nettype: 'fakechain',
  wide_difficulty: '0x1',
  free_space: 50_000_000_000,
};

async function statusOf(info: Partial<typeof INFO>, own: OwnState): Promise<string[]> {
  const daemon = new FakeDaemon({ '/get_info': { ...INFO, ...info }, hard_fork_info: {} });
  const text = await runCommand(['status'], { daemon, own, remote: false, now: () => 0 });
  return text.split('\n');
}

test('status shows the time that is left', async () => {
  const own = { blocksPerSecond: 10, problem: undefined };
  const [line] = await statusOf({ target_height: 2417 }, own);
  expect(line).toMatch(/^Height: 1217\/2417 \(50\.4%, 2 min 0 s left\) on fakechain, /);
  const [atEnd] = await statusOf({}, own);
  expect(atEnd).toMatch(/^Height: 1217\/1217 \(100\.0%\) on fakechain, /);
});

test('status shows problems of the machine, and none while all is well', async () => {
  const own = { blocksPerSecond: 0, problem: 'this node cannot add blocks: no memory' };
  const [, ...problems] = await statusOf({ free_space: 5_242_880 }, own);
  expect(problems).toEqual([
    'Problem: this node cannot add blocks: no memory',
    'Problem: only 5.00 MB are free on the disk',
  ]);
  expect(await statusOf({}, { ...own, problem: undefined })).toHaveLength(1);
});
