import { CONSOLE_COMMANDS, EXAMPLES, COMMAND_TOPICS } from './help.ts';
import { CommandSyntaxError } from './command.ts';
import { runCommand } from './commands.ts';
import { FakeDaemon } from '../testing/fake-daemon.ts';

const run = (line: string): Promise<string> =>
  runCommand(line.split(' '), { daemon: new FakeDaemon({}), remote: true, now: () => 0 });

test('help lists every command below its topic', async () => {
  const list = await run('help');
  for (const { name } of CONSOLE_COMMANDS) expect(list).toContain(`\n  ${name} `);
  for (const { title } of COMMAND_TOPICS) expect(list).toContain(`\n${title}:\n`);
});

test('help explains a topic and a command', async () => {
  const pool = await run('help pool');
  expect(pool).toContain('\n  flush_txpool [<txid>]\n      Remove a transaction from the pool');
  expect(pool).not.toContain('print_block');
  expect(await run('help status')).toBe(
    'Command usage:\n  status\n\nCommand description:\n  Show the current status.\n\nExample:\n  status',
  );
  expect(await run('help ban')).toMatch(/\nExample:\n {2}ban 203\.0\.113\.0\/24 3600$/);
});

test('no topic has the name of a command', () => {
  const names = CONSOLE_COMMANDS.map(({ name }) => name);
  for (const { name } of COMMAND_TOPICS) expect(names).not.toContain(name);
});

test('an unknown command or topic is refused, with the one that was probably meant', async () => {
  await expect(run('help nonsense')).rejects.toThrow(
    /^Unknown command: nonsense\. Type help for a list of commands\.$/,
  );
  await expect(run('stats')).rejects.toThrow('Unknown command: stats. Did you mean status?');
});

test('apropos searches the commands', async () => {
  expect(await run('apropos Pool STATISTICS')).toBe('  print_pool_stats');
});

test('every command with parameters has an example, which is a correct line', async () => {
  const withParameters = CONSOLE_COMMANDS.filter(({ parameters }) => parameters !== undefined);
  expect(Object.keys(EXAMPLES).sort()).toEqual(withParameters.map(({ name }) => name));
  for (const [name, example] of Object.entries(EXAMPLES)) {
    expect(example.split(' ')[0]).toBe(name);
    // The daemon refuses every call, but the line itself is not at fault.
    const outcome = await run(example).catch((error: unknown) => error);
    expect(outcome).not.toBeInstanceOf(CommandSyntaxError);
  }
});
