import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { guardServer, silentLogger } from '@monero-node/base';
import { NotifyProgram } from '../notify/notify-program.ts';
import { testWith } from '../testing/programs.ts';
import { whenChanged } from '../testing/when-changed.ts';
import { runAlertCommand } from '../runtime/alert-desk.ts';
import { ALERT_KINDS, type Alert } from './alert.ts';

const DOCUMENT = new URL('../../../../docs/operating/alerts.md', import.meta.url);
const text = readFileSync(DOCUMENT, 'utf8');
const ORIGIN = { host: 'h', network: 'mainnet', version: '1' };
const ALERT: Alert = {
  id: '4f0c6f0e',
  kind: 'disk',
  severity: 'critical',
  state: 'begins',
  time: 7,
  since: 7,
  message: `Only 5 MiB are free on the disk of "C:\\monero" $(id) \`id\`: 'free' some, 100%.`,
  data: {},
};

test('the table has every kind with its severity', () => {
  const rows = [...text.matchAll(/^\| `([a-z-]+)` +\| `(info|warning|critical)` /gm)];
  expect(rows.map(([, kind, severity]) => [kind, severity])).toEqual(
    Object.entries(ALERT_KINDS).map(([kind, { severity }]) => [kind, severity]),
  );
});

test('the example of JSON has the fields of one', () => {
  const [, example = ''] = /```json\n([^]*?)```/.exec(text) ?? [];
  let json = '';
  const program = { run: (values: Readonly<Record<string, string>>) => (json = values['j'] ?? '') };
  runAlertCommand(program, ALERT, ORIGIN);
  expect(Object.keys(JSON.parse(example) as object)).toEqual(
    Object.keys(JSON.parse(json) as object),
  );
});

/** Returns the command line and the program of a recipe. */
function recipe(title: string): { command: string; script: string } {
  const section = text.slice(text.indexOf(`### ${title}\n`));
  const [, command = ''] = /^alert-command=\S+ (.*)$/m.exec(section) ?? [];
  const [, script = ''] = /```sh\n([^]*?)```/.exec(section) ?? [];
  return { command, script };
}

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'alerts-'));
});
afterEach(() => rmSync(dir, { recursive: true }));

/** Runs the program of a recipe for the alert, with some of its text changed. */
function run(title: string, changes: Readonly<Record<string, string>>): void {
  const { command, script } = recipe(title);
  const path = join(dir, 'program');
  const changed = Object.entries(changes).reduce((all, [from, to]) => {
    expect(all).toContain(from);
    return all.replace(from, to);
  }, script);
  writeFileSync(path, changed, { mode: 0o755 });
  const program = new NotifyProgram('alert-command', `${path} ${command}`, silentLogger);
  runAlertCommand(program, ALERT, ORIGIN);
}

interface Received {
  readonly request: IncomingMessage;
  readonly body: string;
}

/** Runs a recipe that sends HTTP to a server. Resolves with the request. */
async function received(title: string, origin: string, changes = {}): Promise<Received> {
  let onRequest: (request: Received) => void;
  const first = new Promise<Received>((resolve) => (onRequest = resolve));
  const server = guardServer(
    createServer((request, response) => {
      let body = '';
      request.setEncoding('utf8').on('data', (part: string) => (body += part));
      request.on('end', () => {
        response.writeHead(200, { connection: 'close' }).end('{}');
        onRequest({ request, body });
      });
    }),
  );
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  try {
    const { port } = server.address() as AddressInfo;
    run(title, { [origin]: `http://127.0.0.1:${port}`, ...changes });
    return await first;
  } finally {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  }
}

testWith('curl', 'the recipe for ntfy sends the sentence, with a title', async () => {
  const { request, body } = await received('ntfy', 'https://ntfy.sh');
  expect([request.method, request.url]).toEqual(['POST', '/YOUR-TOPIC']);
  expect(request.headers['title']).toBe('monero-node: critical');
  expect(body).toBe(ALERT.message);
});

testWith('curl', 'the recipe for Matrix sends a message, with the token', async () => {
  const token = join(dir, 'token');
  writeFileSync(token, 'Authorization: Bearer TOKEN\n');
  const { request, body } = await received('Matrix', 'https://matrix.example.org', {
    '/etc/monero-node/matrix-token': token,
  });
  expect(request.method).toBe('PUT');
  expect(request.url).toMatch(
    /^\/_matrix\/client\/v3\/rooms\/%21ROOM%3Aexample\.org\/send\/m\.room\.message\/4f0c6f0e-begins-\d+$/,
  );
  expect(request.headers.authorization).toBe('Bearer TOKEN');
  expect(JSON.parse(body)).toEqual({ msgtype: 'm.text', body: ALERT.message });
});

test('the recipe for mail hands a message to sendmail', async () => {
  const out = join(dir, 'mail');
  const sendmail = join(dir, 'sendmail');
  writeFileSync(sendmail, `#!/bin/sh\n/bin/cat > ${out}.part\n/bin/mv ${out}.part ${out}\n`);
  chmodSync(sendmail, 0o755);
  run('Mail', { 'PATH=': `PATH=${dir}:` });
  const mail = await whenChanged(dir, () =>
    existsSync(out) ? readFileSync(out, 'utf8') : undefined,
  );
  expect(mail).toBe(
    `To: you@example.org\nSubject: monero-node: critical: disk\n\n${ALERT.message}\n`,
  );
});
