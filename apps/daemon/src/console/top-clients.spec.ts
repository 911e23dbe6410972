import { FakeDaemon } from '../testing/fake-daemon.ts';
import { runCommand } from './commands.ts';

const run = (line: string, daemon: FakeDaemon): Promise<string> =>
  runCommand(line.split(' '), { daemon, remote: true, now: () => 0 });

const NOBODY = { calls: 0, bytes: 0, time: 0 };

test('top_clients shows what clients have cost', async () => {
  const clients = [
    { host: '192.0.2.1', calls: 12, bytes: 3456, time: 1_250_000 },
    { host: '2001:db8::/64', calls: 1, bytes: 10, time: 900 },
  ];
  const answer = { clients, others: { calls: 5, bytes: 50, time: 100_000 }, since: 1_795_225_549 };
  expect(await run('top_clients bytes', new FakeDaemon({ get_top_clients: answer }))).toBe(
    [
      '192.0.2.1: 12 calls, 3456 bytes, 1.3 s',
      '2001:db8::/64: 1 calls, 10 bytes, 0.0 s',
      'Others that are no longer listed: 5 calls, 50 bytes, 0.1 s',
      'Counted since 2026-11-21 01:45:49',
    ].join('\n'),
  );
});

test('top_clients says why there are none', async () => {
  const answer = { others: NOBODY, since: 0 };
  const text = await run('top_clients', new FakeDaemon({ get_top_clients: answer }));
  expect(text).toContain('--rpc-client-log');
});

test('top_clients takes one of three orders', async () => {
  const daemon = new FakeDaemon({});
  await expect(run('top_clients name', daemon)).rejects.toThrow('time, calls, bytes');
  await expect(run('top_clients time calls', daemon)).rejects.toThrow('parameter');
});
