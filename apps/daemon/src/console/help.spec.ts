import { COMMANDS, runCommand } from './commands.ts';
import { FakeDaemon } from '../testing/fake-daemon.ts';

const run = async (line: string): Promise<string> => {
  const daemon = new FakeDaemon({});
  return (await runCommand(line.split(' '), { daemon, remote: true, now: () => 0 })).text;
};

test('help lists the commands and apropos searches them', async () => {
  const list = await run('help');
  for (const { name } of COMMANDS) expect(list).toContain(`\n  ${name}`);
  expect(await run('help status')).toBe(
    'Command usage:\n  status\n\nCommand description:\n  Show the current status.',
  );
  expect(await run('help nonsense')).toBe('Unknown command: nonsense');
  expect(await run('apropos Pool STATISTICS')).toBe('  print_pool_stats');
});
