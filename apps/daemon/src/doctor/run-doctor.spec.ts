import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArguments } from '../cli/parse-arguments.ts';
import { UsageError } from '../cli/usage-error.ts';
import { EXIT } from '../ending/exit-codes.ts';
import { examineWith, GOOD_MACHINE, GOOD_NODE } from '../testing/patient.ts';
import { CHECKS } from './examine.ts';
import type { Finding } from './finding.ts';
import { jsonReport, statusOf, textReport } from './report.ts';
import { runDoctor } from './run-doctor.ts';
import type { Surroundings } from './surroundings.ts';

let dir: string;
let server: Server;
let answer: RequestListener;
beforeEach(async () => {
  dir = mkdtempSync(join(tmpdir(), 'doctor-'));
  answer = (_, response) => void response.writeHead(404).end();
  server = createServer((request, response) => void answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
});
afterEach(() => {
  server.close();
  rmSync(dir, { recursive: true });
});

async function doctor(options: readonly string[], system: Partial<Surroundings> = {}) {
  const { port } = server.address() as AddressInfo;
  const { values, words } = parseArguments([
    ...['--data-dir', join(dir, 'data'), '--rpc-bind-port', String(port)],
    ...['--rpc-ssl', 'disabled', ...options],
  ]);
  const printed: string[] = [];
  const machine = { ...GOOD_MACHINE, ...system };
  const status = await runDoctor(words, values, (text) => printed.push(text), machine);
  return { status, text: printed.join('\n') };
}

test('a report has a line for each check, what to do, and a summary', async () => {
  const { status, text } = await doctor([], { freeBytes: () => Promise.resolve(5e8) });
  for (const { id } of CHECKS)
    expect(text).toMatch(new RegExp(`^(ok|note|WARNING|FAILURE|not checked) +${id} +\\S`, 'm'));
  expect(text).toMatch(/^FAILURE +disk +only 476\.84 MB are free.*\n +> Free some space/m);
  expect(text).toMatch(/\n\n18 checks: 2 failures, .*ok, \d+ not checked$/);
  expect(status).toBe(EXIT.failed);
});

test('--json has the same, for programs', async () => {
  const { text } = await doctor(['--json']);
  const { verdict, checks } = JSON.parse(text) as { verdict: string; checks: Finding[] };
  expect(verdict).toBe('failure');
  expect(checks.map(({ id }) => id)).toEqual(CHECKS.map(({ id }) => id));
  expect(checks).toContainEqual({
    id: 'disk',
    verdict: 'ok',
    seen: expect.any(String),
    advice: null,
  });
});

test('the exit status follows the worst verdict', () => {
  const found = (verdict: Finding['verdict']): Finding => ({ id: 'x', verdict, seen: '' });
  expect(statusOf([found('ok'), found('note'), found('not-checked')])).toBe(0);
  expect(statusOf([found('warning'), found('note')])).toBe(2);
  expect(statusOf([found('warning'), found('failure')])).toBe(1);
  expect(jsonReport([found('warning')])).toContain('"verdict":"warning"');
  expect(textReport([found('ok')])).toMatch(/1 checks: 1 ok$/);
});

test.each([
  [['--proxy', '127.0.0.1:9050', '--libp2p-mdns'], 'cannot be used with --proxy'],
  [['--rpc-login-file', '/nowhere'], '--rpc-login-file /nowhere: ENOENT'],
  [['--stratum-bind-port', '3333'], '--stratum-bind-port needs --stratum-address'],
])('options that are refused are a finding: %j', async (options, why) => {
  const { status, text } = await doctor(options);
  expect(text).toMatch(/^FAILURE +options /);
  expect(text).toContain(why);
  expect(text).toMatch(/^not checked +disk +the options are refused$/m);
  expect(status).toBe(EXIT.failed);
});

test('words after the command are refused', async () => {
  const { values } = parseArguments([]);
  await expect(runDoctor(['me'], values, () => undefined, GOOD_MACHINE)).rejects.toThrow(
    UsageError,
  );
});

test('a node that answers is examined, and one that refuses or is none is named', async () => {
  answer = ({ url }, response) => {
    const info = {
      status: 'OK',
      height: 5,
      nettype: 'mainnet',
      version: '0.2.0',
      synchronized: true,
    };
    const header = {
      jsonrpc: '2.0',
      id: 0,
      result: { status: 'OK', block_header: { timestamp: 7 } },
    };
    response.end(JSON.stringify(url === '/json_rpc' ? header : info));
  };
  expect((await doctor([])).text).toMatch(
    /^ok +node +version 0\.2\.0 runs at height 5, synchronized$/m,
  );
  answer = (_, response) => void response.writeHead(401).end();
  expect((await doctor([])).text).toMatch(/^WARNING +node +the daemon at \S+ requires a login/m);
  answer = (_, response) => void response.end('<html>');
  expect((await doctor([])).text).toMatch(/^FAILURE +node +what answers at \S+ is no node/m);
});

test('a check that hangs or fails is not made, and holds up no other', async () => {
  const system = {
    lookUp: () => new Promise<never>(() => undefined),
    listeningErrors: () => Promise.reject(new Error('out of order')),
  };
  const options = ['--data-dir', join(dir, 'data')];
  const findings = await examineWith(options, { system, checkMs: 2000 });
  const seen = Object.fromEntries(
    findings.map((each) => [each.id, `${each.verdict}: ${each.seen}`]),
  );
  expect(seen).toMatchObject({
    dns: 'not-checked: no answer within 2 s',
    ports: 'not-checked: it failed: out of order',
  });
  expect(seen['disk']).toMatch(/^ok: /);
});

test('nothing is changed on the disk', async () => {
  const data = join(dir, 'data');
  expect(existsSync(data)).toBe(false);
  await doctor([]);
  expect(readdirSync(dir)).toEqual([]);
  mkdirSync(join(data, 'chain'), { recursive: true });
  writeFileSync(join(data, 'chain', 'data.mdb'), 'x');
  const state = () =>
    readdirSync(dir, { recursive: true }).map((name) => [
      name,
      statSync(join(dir, String(name))).mtimeMs,
    ]);
  const before = state();
  await doctor([]);
  expect(state()).toEqual(before);
});

test('docs/operating/doctor.md lists every check', () => {
  const page = readFileSync(
    new URL('../../../../docs/operating/doctor.md', import.meta.url),
    'utf8',
  );
  const [, table = ''] = page.split('\n## Checks\n');
  const rows = [...table.matchAll(/^\| `([a-z0-9-]+)` +\|/gm)].map(([, id]) => id);
  expect(rows).toEqual(CHECKS.map(({ id }) => id));
});

test('the status of a good node is 0', async () => {
  const findings = await examineWith(['--data-dir', join(dir, 'data')], { node: GOOD_NODE });
  expect(statusOf(findings)).toBe(0);
});
