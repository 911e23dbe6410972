import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { until } from '@monero-node/base/testing';

const PROGRAM = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const FIXED = 'regtest=1\noffline=1\nno-zmq=1\nrpc-page=none\nrpc-ssl=disabled\nrpc-bind-port=0\n';

let dir: string;
let config: string;
let child: ChildProcess;
let output: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'reload-node-'));
  config = join(dir, 'node.conf');
  output = '';
});
afterEach(async () => {
  if (child.exitCode === null && child.signalCode === null) {
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }
  rmSync(dir, { recursive: true });
});

/** Starts the program as built; resolves with the port of its RPC. */
async function start(text: string): Promise<number> {
  writeFileSync(config, FIXED + text);
  child = spawn(
    process.execPath,
    [PROGRAM, '--data-dir', dir, '--config-file', config, '--non-interactive'],
    { env: { ...process.env, NODE_OPTIONS: '' }, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  child.stdout?.on('data', (chunk: Buffer) => (output += chunk.toString()));
  await until(() => /RPC: 127\.0\.0\.1:\d+/.test(output));
  return Number(/RPC: 127\.0\.0\.1:(\d+)/.exec(output)?.[1]);
}

/** Sends the signal; resolves with the lines of the reload, when the last of them has been written. */
async function reload(last: RegExp): Promise<string[]> {
  const from = output.length;
  child.kill('SIGHUP');
  await until(() => last.test(output.slice(from)));
  const lines = output.slice(from).split('\n');
  return lines.flatMap((line) => /\treload: (.*)/.exec(line)?.[1] ?? []);
}

const ask = async (
  port: number,
  path: string,
  body: object = {},
): Promise<Record<string, unknown>> => {
  const reply = await fetch(`http://127.0.0.1:${port}${path}`, {
    method: 'POST',
    body: JSON.stringify(body),
    // The node closes the connections of a port that becomes restricted, one that is kept for the next call too.
    headers: { connection: 'close' },
  });
  return reply.ok ? ((await reply.json()) as Record<string, unknown>) : { refused: reply.status };
};

const state = async (port: number): Promise<unknown[]> => {
  const limit = await ask(port, '/get_limit');
  const out = await ask(port, '/out_peers', { set: false, out_peers: 0 });
  const bans = await ask(port, '/json_rpc', { jsonrpc: '2.0', id: 0, method: 'get_bans' });
  const result = bans['result'] as { bans?: { host: string }[] } | undefined;
  return [
    limit['limit_up'],
    limit['limit_down'],
    out['out_peers'],
    result?.bans?.map(({ host }) => host),
  ];
};

test('a node takes over its config file at SIGHUP, and nothing of one that is broken', async () => {
  const bans = join(dir, 'bans');
  writeFileSync(bans, '203.0.113.7\n');
  const before = `out-peers=12\nlimit-rate-up=100\nban-list=${bans}\n`;
  const port = await start(before);
  expect(await state(port)).toEqual([100, 32768, 12, ['203.0.113.7']]);

  const broken = ['out-pears=3', 'out-peers=x', 'no-zmq', 'log-level=9', 'rpc-max-connections=1'];
  for (const text of [...broken, 'rpc-trusted-proxy=nonsense']) {
    writeFileSync(config, `${FIXED}limit-rate-up=7\n${text}\n`);
    const lines = await reload(/reload: nothing is changed: .*\n/);
    expect(lines).toHaveLength(1);
  }
  rmSync(config);
  await reload(/nothing is changed: Can't find config file/);
  mkdirSync(config);
  await reload(/nothing is changed: Can't read config file/);
  rmSync(config, { recursive: true });
  expect(await state(port)).toEqual([100, 32768, 12, ['203.0.113.7']]);

  writeFileSync(bans, '2001:db8::/32\n203.0.113.9\n');
  writeFileSync(
    config,
    `${FIXED}out-peers=24\nlimit-rate-up=200\nlimit-rate-down=300\nban-list=${bans}\nlog-level=1\nmetrics-bind-port=0\n`,
  );
  expect(await reload(/hosts and subnets/)).toEqual([
    'log-level none -> 1',
    'out-peers 12 -> 24',
    'limit-rate-up 100 -> 200',
    'limit-rate-down 32768 -> 300',
    'a restart is needed for metrics-bind-port',
    'ban-list 1 -> 2 hosts and subnets',
  ]);
  expect(await state(port)).toEqual([200, 300, 24, ['203.0.113.9', '2001:db8::/32']]);

  writeFileSync(config, `${FIXED}out-peers=24\nlimit-rate-up=200\nrestricted-rpc=1\n`);
  await reload(/restricted-rpc off -> on/);
  await until(() => /ban-list 2 -> 0/.test(output));
  expect(await ask(port, '/get_limit')).toMatchObject({ limit_up: 200 });
  expect(await ask(port, '/get_peer_list')).toEqual({ refused: 404 });
  // At once, many, and during the stop.
  const ended = once(child, 'exit');
  for (let i = 0; i < 20; i++) child.kill('SIGHUP');
  child.kill('SIGTERM');
  for (let i = 0; i < 20; i++) child.kill('SIGHUP');
  expect(await ended).toEqual([0, null]);
}, 60_000);

/** Resolves when an answer is the expected one; workers learn of a reload a moment later. */
async function answers(isExpected: () => Promise<boolean>): Promise<void> {
  for (let tries = 0; tries < 200; tries++) {
    // The connections of a port that becomes restricted, or no longer is, are closed.
    if (await isExpected().catch(() => false)) return;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error('the answer never came');
}

test('worker processes follow, and what they trust', async () => {
  const port = await start('rpc-workers=2\n');
  const sum = {
    jsonrpc: '2.0',
    id: 0,
    method: 'get_coinbase_tx_sum',
    params: { height: 0, count: 1 },
  };
  const client = (address: string): Promise<Response> =>
    fetch(`http://127.0.0.1:${port}/get_height`, { headers: { 'X-Forwarded-For': address } });
  await until(() => /answered by 2 worker processes/.test(output));
  // Until workers are ready, the node itself answers.
  await new Promise((resolve) => setTimeout(resolve, 3000));
  expect(await ask(port, '/json_rpc', sum)).toMatchObject({ result: { status: 'OK' } });

  writeFileSync(config, `${FIXED}rpc-workers=2\nrestricted-rpc=1\n`);
  await reload(/restricted-rpc off -> on/);
  await answers(async () => 'error' in (await ask(port, '/json_rpc', sum)));

  writeFileSync(config, `${FIXED}rpc-workers=2\nrpc-trusted-proxy=127.0.0.1\nlog-level=1\n`);
  await reload(/rpc-trusted-proxy none -> 127\.0\.0\.1/);
  await answers(async () => 'result' in (await ask(port, '/json_rpc', sum)));
  await answers(async () => {
    await client('203.0.113.7');
    return /203\.0\.113\.7.*get_height/.test(output);
  });
}, 60_000);
