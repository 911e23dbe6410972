import { RpcCallError } from '@monero-node/rpc-client';
import { FakeDaemon } from '../testing/fake-daemon.ts';
import { runCommand } from './commands.ts';

const NOW = 1_795_225_609;
const run = (line: string, daemon: FakeDaemon): Promise<string> =>
  runCommand(line.split(' '), { daemon, remote: true, now: () => NOW });

const RIG = {
  name: 'attic',
  connections: 1,
  since: NOW - 60,
  hash_rate: 1200,
  difficulty: 18_000,
  accepted: 12,
  stale: 1,
  refused: 0,
  last_share: NOW - 12,
  address: '192.0.2.5',
  agent: 'XMRig',
  pays: 'owner',
  blocks: 0,
};
const { last_share: _last, ...FRESH } = RIG;
const ANSWER = {
  connected: 1,
  hash_rate: 1200,
  accepted: 12,
  stale: 1,
  refused: 3,
  rigs: [RIG, { ...FRESH, name: 'cellar', connections: 0, pays: 'login', refused: 3 }],
};

test('rigs shows each rig, and all in a sentence', async () => {
  expect(await run('rigs', new FakeDaemon({ get_stratum_rigs: ANSWER }))).toBe(
    [
      'attic, connected since 2026-11-21 01:45:49, 1.20 kH/s, difficulty 18000, 12 shares accepted, 1 stale, 0 wrong, last share 12 seconds ago, from 192.0.2.5, pays the owner',
      'cellar, away since 2026-11-21 01:45:49, 1.20 kH/s, difficulty 18000, 12 shares accepted, 1 stale, 3 wrong, no share yet, from 192.0.2.5, pays its login',
      '1 of 2 connected at 1.20 kH/s, 12 shares accepted, 1 stale, 3 wrong',
    ].join('\n'),
  );
  await expect(run('rigs attic', new FakeDaemon({}))).rejects.toThrow('exactly 0 parameters');
});

test('rigs of a daemon that serves none is an error', async () => {
  const away = new FakeDaemon({ get_stratum_rigs: new RpcCallError(-32601, 'Method not found') });
  await expect(run('rigs', away)).rejects.toThrow('this daemon serves no rigs');
  await expect(run('rigs', new FakeDaemon({}))).rejects.toThrow('404');
});

test('status has a line about rigs where they are served', async () => {
  const chain = { '/get_info': { height: 1, target: 120 }, hard_fork_info: {} };
  const served = await run('status', new FakeDaemon({ ...chain, get_stratum_rigs: ANSWER }));
  expect(served.split('\n').slice(1)).toEqual([
    'Rigs: 1 of 2 connected at 1.20 kH/s, 12 shares accepted, 1 stale, 3 wrong',
    expect.stringContaining('Problem: only'),
  ]);
  const none = await run('status', new FakeDaemon(chain));
  expect(none).not.toContain('Rigs');
});
