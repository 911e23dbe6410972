import { FakeDaemon } from '../testing/fake-daemon.ts';
import { runCommand } from './commands.ts';

const NOW = 1_795_225_609;
const run = (line: string, daemon: FakeDaemon): Promise<string> =>
  runCommand(line.split(' '), { daemon, remote: true, now: () => NOW });

test('mining_ledger shows the newest blocks found, and all in a sentence', async () => {
  const block = {
    height: 3_712_345,
    timestamp: NOW,
    finder: 'rig',
    rig: 'attic',
    reward: 600_000_000_000,
    effort_percent: 87,
    fate: 'orphaned',
  };
  const { effort_percent: _effort, rig: _rig, ...foreign } = { ...block, finder: 'submit_block' };
  const answer = { total: 7, orphaned: 1, effort_percent: 12, blocks: [block, foreign] };
  const daemon = new FakeDaemon({ get_mining_ledger: answer });
  expect(await run('mining_ledger', daemon)).toBe(
    [
      '3712345, 2026-11-21 01:46:49, rig attic, reward 0.600000000000, effort 87%, orphaned',
      '3712345, 2026-11-21 01:46:49, submit_block, reward 0.600000000000, orphaned',
      '7 blocks found, 1 orphaned, effort since the last one 12%',
    ].join('\n'),
  );
  expect(daemon.asked.at(-1)).toEqual(['get_mining_ledger', { count: 20 }]);
  await run('mining_ledger 3', daemon);
  expect(daemon.asked.at(-1)).toEqual(['get_mining_ledger', { count: 3 }]);
  await expect(run('mining_ledger all', daemon)).rejects.toThrow('the number of blocks');
});
