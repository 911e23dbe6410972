import { execFileSync } from 'node:child_process';
import { homedir } from 'node:os';
import { join } from 'node:path';
import { mkdirSync, writeFileSync } from 'node:fs';
import { afterEach, describe, expect, test } from '@jest/globals';
import { MONEROD_OPTIONS, optionNamed, type MonerodOption } from '@monero-node/daemon';
import { monerodRelease, OUR_DAEMON, requireProgram } from '../harness/binaries.ts';
import { ending } from '../harness/chain-tool.ts';
import { describeWithMonero } from '../harness/describe-with-monero.ts';
import { startOurDaemon } from '../harness/our-daemon.ts';
import type { RunningNode } from '../harness/monerod.ts';
import { freePorts, LOOPBACK } from '../harness/ports.ts';
import { newFolder } from '../harness/run-folder.ts';

/** A regtest address. */
const ADDRESS =
  '42ey1afDFnn4886T7196doS9GPMzexD9gXpsZJDwVjeRVdFCSoHnv7KPbBeGpzJBzHRCAs9UxqeoyFQMYbqSWYTfJJQAWDm';

const ONION = 'vww6ybal4bd7szmgncyruucpgfkqahzddi37ktceo3ah7ngmcopnpyyd.onion';

/** Reads the options from the text of `monerod --help`, independently of the tool that recorded them. */
function optionsOf(help: string): MonerodOption[] {
  const found: MonerodOption[] = [];
  for (const line of help.split('\n')) {
    const [, name, rest = ''] = /^ {2}--([\w-]+)(.*)$/.exec(line) ?? [];
    if (name === undefined) continue;
    // The help text begins after two spaces; a default ends before them.
    const [head = ''] = rest.split(/ {2,}/);
    const preset = /^ arg \(=(.*)\)$/.exec(head)?.[1]?.replaceAll(homedir(), '~');
    found.push({
      name,
      hasValue: head.startsWith(' arg'),
      ...(preset === undefined ? {} : { default: preset }),
    });
  }
  return found;
}

/** Changes of the current release since 0.18.0.0. */
const SINCE_OLD: Readonly<Record<string, string | undefined>> = {
  'confirm-zmq-rpc-external-bind': 'new',
  'restricted-zmq-rpc': 'new',
  'limit-rate-up': '2048',
  'limit-rate-down': '8192',
  igd: 'delayed',
};

describeWithMonero(
  'the recorded options of monerod',
  () => {
    test('are those of the installed program', () => {
      const help = execFileSync(requireProgram('monerod'), ['--help'], { encoding: 'utf8' });
      const printed = optionsOf(help);
      expect(printed.length).toBeGreaterThan(100);
      if (monerodRelease() === 'current') {
        expect(printed).toEqual(MONEROD_OPTIONS);
        return;
      }
      const expected = MONEROD_OPTIONS.filter(({ name }) => SINCE_OLD[name] !== 'new').map(
        (option) => {
          const old = SINCE_OLD[option.name];
          return old === undefined ? option : { ...option, default: old };
        },
      );
      const dataDir = (options: readonly MonerodOption[]) =>
        options.filter(({ name }) => !['data-dir', 'no-fluffy-blocks'].includes(name));
      expect(dataDir(printed)).toEqual(dataDir(expected));
      expect(optionNamed('no-fluffy-blocks')?.support).toBe('ignored');
    });
  },
  ['monerod'],
);

describeWithMonero(
  '--rpc-version-string',
  () => {
    /** Returns what the command of the real program prints about our node. */
    async function versionSeen(extra: string[]): Promise<string> {
      const node = await startOurDaemon({ offline: true, extra });
      try {
        const { output } = await ending(
          {
            name: 'monerod-version',
            program: requireProgram('monerod'),
            args: ['--rpc-bind-port', String(node.rpc.port), '--rpc-ssl', 'disabled', 'version'],
            cwd: node.dataDir,
          },
          30_000,
        );
        return output;
      } finally {
        await node.stop();
      }
    }

    test('decides whether monerod accepts the version of our node', async () => {
      const none = 'The daemon software version is not available.';
      expect(await versionSeen([])).toContain(none);
      const seen = await versionSeen(['--rpc-version-string', 'monerod']);
      expect(seen).toContain('0.18.5.3-release');
      expect(seen).not.toContain(none);
    });
  },
  ['monerod'],
);

describe('our daemon', () => {
  let node: RunningNode | undefined;
  afterEach(async () => {
    await node?.stop();
    node = undefined;
  });

  const ended = (...args: string[]) =>
    ending(
      {
        name: 'options',
        program: process.execPath,
        args: [OUR_DAEMON, '--data-dir', newFolder('options'), ...args],
        cwd: newFolder('options'),
        env: { NODE_OPTIONS: '' },
      },
      30_000,
    );

  /** Options with which the harness starts every node. */
  const ALWAYS = [
    ...['regtest', 'keep-fakechain', 'fixed-difficulty', 'data-dir', 'non-interactive', 'no-zmq'],
    ...['log-level', 'p2p-bind-ip', 'p2p-bind-port', 'rpc-bind-ip', 'rpc-bind-port'],
    ...['allow-local-ip', 'max-connections-per-ip', 'add-exclusive-node', 'rpc-ssl'],
  ];
  /** Options that end the process or are shown to work by another suite, which is named. */
  const ELSEWHERE: Readonly<Record<string, string>> = {
    testnet: 'listens on fixed ports',
    stagenet: '17-every-hard-fork',
    detach: '26-detach-to-background',
    pidfile: '26-detach-to-background',
    help: 'below',
    version: 'below',
    'os-version': 'below',
    'rpc-payment-address': 'below',
    igd: 'below',
  };
  const given = new Set<string>();

  /** Starts a node with options, each with a legal value; returns the warnings of the log. */
  async function warningsWith(...options: string[]): Promise<string[]> {
    for (const option of options.filter((text) => text.startsWith('--')))
      given.add(option.slice(2));
    node = await startOurDaemon({ extra: options });
    const lines = node.process.output().match(/\tW\tglobal\t.*(no effect).*/g) ?? [];
    expect(await node.stop()).toBe(0);
    return lines.map((line) => line.replace(/^\tW\tglobal\t/, ''));
  }

  test('takes the options about files, log and chain', async () => {
    const folder = newFolder('options');
    mkdirSync(folder, { recursive: true });
    const config = join(folder, 'node.conf');
    writeFileSync(config, 'max-log-files=7\n');
    const messages = join(folder, 'messages');
    writeFileSync(messages, 'b25l\n');
    const warnings = await warningsWith(
      ...['--config-file', config, '--log-file', join(folder, 'log')],
      ...['--max-log-file-size', '1000000', '--max-concurrency', '2', '--prep-blocks-threads', '2'],
      ...['--fast-block-sync', '0', '--block-sync-size', '10', '--block-download-max-size', '1000'],
      ...['--max-txpool-weight', '1000000', '--db-sync-mode', 'fast', '--keep-alt-blocks'],
      ...['--prune-blockchain', '--sync-pruned-blocks', '--disable-dns-checkpoints'],
      ...[
        '--enforce-dns-checkpointing',
        '--check-updates',
        'disabled',
        '--block-notify',
        '/bin/true %s',
      ],
      ...['--reorg-notify', '/bin/true %s %h', '--block-rate-notify', '/bin/true %t %b %e'],
      ...['--extra-messages-file', messages],
    );
    expect(warnings).toEqual(['--sync-pruned-blocks has no effect without trusted block hashes']);
    given.add('max-log-files');
  });

  test('takes the options about mining', async () => {
    const warnings = await warningsWith(
      ...['--start-mining', ADDRESS, '--mining-threads', '1', '--bg-mining-enable'],
      ...['--bg-mining-ignore-battery', '--bg-mining-min-idle-interval', '20'],
      ...['--bg-mining-idle-threshold', '80', '--bg-mining-miner-target', '30'],
    );
    expect(warnings).toEqual([]);
  });

  test('takes the options about peers', async () => {
    const folder = newFolder('options');
    mkdirSync(folder, { recursive: true });
    const bans = join(folder, 'bans');
    writeFileSync(bans, '1.2.3.4\n');
    const [ipv6 = 0, hidden = 0] = await freePorts(2);
    const warnings = await warningsWith(
      ...['--p2p-use-ipv6', '--p2p-ignore-ipv4', '--p2p-bind-ipv6-address', '::1'],
      ...['--p2p-bind-port-ipv6', String(ipv6), '--p2p-external-port', '9', '--hide-my-port'],
      ...['--add-peer', '127.0.0.1:9', '--add-priority-node', '127.0.0.1:9'],
      ...['--seed-node', '127.0.0.1:9', '--ban-list', bans, '--no-sync', '--no-igd'],
      ...['--enable-dns-blocklist', '--out-peers', '3', '--in-peers', '4', '--pad-transactions'],
      ...['--limit-rate', '100', '--limit-rate-up', '200', '--limit-rate-down', '300'],
      ...['--tx-proxy', `tor,${LOOPBACK}:9`, '--proxy', `${LOOPBACK}:9`],
      ...['--anonymous-inbound', `${ONION}:18083,${LOOPBACK}:${hidden}`],
      ...['--fluffy-blocks', '--proxy-allow-dns-leaks', '--igd', 'disabled'],
    );
    expect(warnings).toEqual([]);
  });

  test('takes the options about RPC and ZeroMQ', async () => {
    const [restricted = 0, zmq = 0, publish = 0] = await freePorts(3);
    const warnings = await warningsWith(
      ...['--rpc-restricted-bind-port', String(restricted), '--public-node', '--rpc-use-ipv6'],
      ...['--rpc-restricted-bind-ip', LOOPBACK, '--rpc-bind-ipv6-address', '::1'],
      ...['--rpc-restricted-bind-ipv6-address', '::1', '--rpc-ignore-ipv4', '--restricted-rpc'],
      ...['--bootstrap-daemon-address', `http://${LOOPBACK}:9`, '--bootstrap-daemon-login', 'a:b'],
      ...['--bootstrap-daemon-proxy', `${LOOPBACK}:9`, '--confirm-external-bind'],
      ...['--rpc-access-control-origins', 'http://a.example', '--disable-rpc-ban'],
      ...['--rpc-ssl-allow-any-cert', '--rpc-ssl-allow-chained'],
      ...['--rpc-max-connections-per-public-ip', '4', '--rpc-max-connections-per-private-ip', '5'],
      ...['--rpc-max-connections', '50', '--rpc-response-soft-limit', '1000000'],
      ...['--zmq-rpc-bind-ip', LOOPBACK, '--zmq-rpc-bind-port', String(zmq)],
      ...['--zmq-pub', `tcp://${LOOPBACK}:${publish}`, '--restricted-zmq-rpc'],
      '--confirm-zmq-rpc-external-bind',
    );
    expect(warnings.filter((line) => !line.includes('--no-zmq'))).toEqual([]);
  });

  test('accepts the options that have no effect, and names them', async () => {
    const warnings = await warningsWith(
      ...['--show-time-stats', '1', '--test-dbg-lock-sleep', '1', '--test-drop-download'],
      ...['--test-drop-download-height', '1', '--db-salvage', '--tos-flag', '1'],
      ...['--rpc-payment-difficulty', '1', '--rpc-payment-credits', '1'],
      '--rpc-payment-allow-free-loopback',
    );
    const removed = ': monerod removed payment for RPC after 0.18';
    expect(warnings.sort()).toEqual([
      '--db-salvage has no effect',
      `--rpc-payment-allow-free-loopback has no effect${removed}`,
      `--rpc-payment-credits has no effect${removed}`,
      `--rpc-payment-difficulty has no effect${removed}`,
      '--show-time-stats has no effect: --metrics-bind-port serves timings',
      '--test-dbg-lock-sleep has no effect',
      '--test-drop-download has no effect',
      '--test-drop-download-height has no effect',
      '--tos-flag has no effect',
    ]);
  });

  test('refuses what it cannot do, with the reason', async () => {
    expect(await ended('--rpc-payment-address', ADDRESS)).toMatchObject({
      code: 1,
      output:
        'Failed to parse arguments: --rpc-payment-address is not available: monerod removed payment for RPC after 0.18\n',
    });
    for (const option of ['--help', '--version', '--os-version'])
      expect(await ended(option)).toMatchObject({ code: 0 });
  });

  test('was given every option of monerod in this suite or another', () => {
    const left = MONEROD_OPTIONS.map(({ name }) => name).filter(
      (name) => !given.has(name) && !ALWAYS.includes(name) && ELSEWHERE[name] === undefined,
    );
    expect(left.sort()).toEqual([
      // These need files of keys (packages/rpc/src/tls) or end the connection (offline, login: suites 40 and 33).
      ...['offline', 'rpc-login', 'rpc-ssl-allowed-fingerprints', 'rpc-ssl-ca-certificates'],
      ...['rpc-ssl-certificate', 'rpc-ssl-private-key'],
    ]);
  });
});
