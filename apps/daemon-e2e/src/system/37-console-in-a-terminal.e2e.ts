import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from '@jest/globals';
import { OUR_DAEMON } from '../harness/binaries.ts';
import { commonFlags } from '../harness/monerod.ts';
import { freePorts } from '../harness/ports.ts';
import { RpcClient } from '../harness/rpc-client.ts';
import { newFolder } from '../harness/run-folder.ts';
import { waitUntil } from '../harness/wait.ts';

const SOON = { timeout: 15_000 };

/** The daemon runs in a terminal multiplexer, whose screen the test reads. */
const hasTmux = spawnSync('tmux', ['-V']).error === undefined;
const withTmux = hasTmux ? describe : describe.skip;

withTmux('the console in a terminal (needs tmux; Debian: apt-get install tmux)', () => {
  let dataDir: string;
  let server: string;
  let rpc: RpcClient;
  beforeEach(async () => {
    dataDir = newFolder('console');
    const [port = 0] = await freePorts(1);
    rpc = new RpcClient(port);
    start(port);
    await screenShows('monero>');
  });
  afterEach(() => {
    rpc.close();
    spawnSync('tmux', ['-L', server, 'kill-server']);
  });

  const tmux = (...args: string[]): string =>
    execFileSync('tmux', ['-L', server, '-f', '/dev/null', ...args], { encoding: 'utf8' });
  const keys = (...names: string[]): string => tmux('send-keys', ...names);
  const type = (text: string): string => tmux('send-keys', '-l', text);
  const screen = (): string[] => tmux('capture-pane', '-p').trimEnd().split('\n');
  const screenShows = (text: string | RegExp): Promise<true> =>
    waitUntil(
      `${String(text)} on the screen`,
      () => screen().join('\n').search(text) >= 0 || fail(),
      SOON,
    );
  const lastLineIs = (line: string): Promise<true> =>
    waitUntil(`the line ${line}`, () => screen().at(-1) === line || fail(), SOON);

  /** The error shows the screen. */
  const fail = (): false => {
    throw new Error(screen().join('\n'));
  };

  /** Runs the daemon in the terminal; its exit status is shown at the end. */
  function start(port: number): void {
    // A server that is killed may still take the next command for a moment.
    server = `monero-node-${port}`;
    const flags = commonFlags({ offline: true }, dataDir, 0, port);
    const args = flags.filter((flag) => flag !== '--non-interactive');
    const command = [process.execPath, OUR_DAEMON, ...args, '--rpc-ssl', 'disabled'].join(' ');
    const shell = `NODE_OPTIONS= ${command}; echo "status $?"; sleep 600`;
    tmux('new-session', '-d', '-x', '150', '-y', '50', shell);
  }

  test('log lines do not break the line being typed, and Tab and the history work across restarts', async () => {
    type('print_he');
    await lastLineIs('monero> print_he');
    // Every call writes a line of the log.
    await rpc.path('/set_log_categories', { categories: '+net.http:INFO' });
    for (let i = 0; i < 3; i++) await rpc.path('/get_height');
    await screenShows(/(.*net\.http\s+127\.0\.0\.1 \/get_height: 200, .*\s+){3}monero> print_he$/);
    keys('Tab');
    await lastLineIs('monero> print_height');
    keys('Enter');
    await screenShows(/monero> print_height\s+1\s+monero>$/);
    type('status');
    keys('Enter');
    await screenShows(/Height: 1\/1 \(100\.0%\) on fakechain, not mining/);

    // The first Ctrl-C only clears the line.
    type('stop_');
    await lastLineIs('monero> stop_');
    keys('C-c');
    await lastLineIs('monero>');
    keys('C-c');
    await screenShows('status 0');
    const history = join(dataDir, 'fake', 'console-history');
    expect(readFileSync(history, 'utf8')).toBe('print_height\nstatus\n');
    expect(statSync(history).mode & 0o777).toBe(0o600);

    tmux('kill-server');
    const [port = 0] = await freePorts(1);
    start(port);
    await screenShows('monero>');
    keys('Up', 'Up');
    await lastLineIs('monero> print_height');
    keys('C-c', 'C-d');
    await screenShows('status 0');
  });
});
