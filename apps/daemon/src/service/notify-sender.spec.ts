import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { NotifySender } from './notify-sender.ts';

let dir: string;
let path: string | undefined;
let troubles: string[];
let sender: NotifySender;

/** Puts a program named systemd-notify first on the PATH. */
function install(script: string): void {
  const file = join(dir, 'systemd-notify');
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
}

function start(): NotifySender {
  sender = new NotifySender('@somewhere', (why) => troubles.push(why));
  return sender;
}

beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'notify-'));
  path = process.env['PATH'];
  process.env['PATH'] = `${dir}:${path}`;
  troubles = [];
});
afterEach(() => {
  sender.close();
  process.env['PATH'] = path;
  rmSync(dir, { recursive: true });
});

test('passes assignments as arguments, in the order of the calls, without a meaning for the shell', async () => {
  const seen = join(dir, 'seen');
  install(`printf '%s|%s|%s\\n' "$NOTIFY_SOCKET" "$#" "$*" >> ${seen}`);
  start();
  const odd = 'STATUS=a * b; $(touch x) `x` "c\' \\n';
  await Promise.all([sender.send('READY=1', odd), sender.send('WATCHDOG=1')]);
  expect(readFileSync(seen, 'utf8')).toBe(`@somewhere|2|READY=1 ${odd}\n@somewhere|1|WATCHDOG=1\n`);
  expect(troubles).toEqual([]);
});

test('reports why a message was not delivered', async () => {
  install('echo "Failed to notify:" >&2; echo "no such socket" >&2; exit 1');
  await start().send('READY=1');
  expect(troubles).toEqual(['Failed to notify: no such socket']);
});

test('reports that systemd-notify is missing', async () => {
  process.env['PATH'] = dir;
  await start().send('READY=1');
  expect(troubles).toEqual([expect.stringContaining('systemd-notify: not found')]);
});

test('starts the shell again after its end', async () => {
  const mark = join(dir, 'mark');
  // $PPID is the shell.
  install(`[ -e ${mark} ] || { : > ${mark}; kill -9 $PPID; }`);
  await start().send('READY=1');
  await sender.send('WATCHDOG=1');
  expect(troubles).toEqual(['the shell that runs systemd-notify has ended']);
});
