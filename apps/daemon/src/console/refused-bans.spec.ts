import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { RpcCallError } from '@monero-node/rpc-client';
import { FakeDaemon } from '../testing/fake-daemon.ts';
import { runCommand } from './commands.ts';

const run = (line: string, daemon: FakeDaemon): Promise<string> =>
  runCommand(line.split(' '), { daemon, remote: true, now: () => 0 });

test('a ban that is refused fails, and so does a file with one or with lines that name nothing', async () => {
  const refusal = new RpcCallError(-1, 'Unsupported host/subnet type');
  await expect(run('ban x.y', new FakeDaemon({ set_bans: refusal }))).rejects.toThrow(
    'x.y not banned: Unsupported host/subnet type',
  );
  const dir = mkdtempSync(join(tmpdir(), 'bans-'));
  const file = join(dir, 'list');
  writeFileSync(file, '203.0.113.5:18080\r\nnonsense\r\n[2001:db8::2]\r\n');
  const daemon = new FakeDaemon({ set_bans: {} });
  await expect(run(`ban @${file} 5`, daemon)).rejects.toThrow(
    '1 entry is neither a host nor a subnet and not banned: "nonsense" (line 2)\n' +
      '203.0.113.5 banned for 5 seconds\n2001:db8::2 banned for 5 seconds',
  );
  rmSync(dir, { recursive: true });
});

test('a host is unbanned only when no subnet around it is banned', async () => {
  const answers = {
    set_bans: {},
    banned: { banned: true, seconds: 5 },
    get_bans: { bans: ['10.0.0.1', '10.1.0.0/16', '10.0.0.0/8'].map((host) => ({ host })) },
  };
  await expect(run('unban 10.1.2.3', new FakeDaemon(answers))).rejects.toThrow(
    '10.1.2.3 is still banned: it is in 10.0.0.0/8 ("unban 10.0.0.0/8" lifts that ban)',
  );
  const lifted = new FakeDaemon({ ...answers, banned: { banned: false, seconds: 0 } });
  expect(await run('unban 10.1.2.3', lifted)).toBe('10.1.2.3 unbanned');
  expect(await run('unban 10.0.0.0/8', new FakeDaemon(answers))).toBe('10.0.0.0/8 unbanned');
});
