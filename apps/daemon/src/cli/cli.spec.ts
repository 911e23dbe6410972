import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { mergeValues, parseConfig, readConfigFile } from './config-file.ts';
import { detachSettings } from './process-settings.ts';
import { fullHelp } from './help.ts';
import { MONEROD_OPTIONS } from './monerod-options.ts';
import { UsageError } from './usage-error.ts';
import { type OptionValue, OptionReader } from './given-options.ts';
import { parseArguments } from './parse-arguments.ts';
import { makeDaemonSettings } from './daemon-settings.ts';

const settingsOf = (...argv: string[]) => makeDaemonSettings(parseArguments(argv).values);

describe('command line', () => {
  test('reads switches, values in both forms, lists and words', () => {
    const { values, words } = parseArguments([
      '--regtest',
      '--rpc-bind-port=5',
      '--p2p-bind-port',
      '6',
      '--add-peer',
      'a:1',
      '--add-peer=b:2',
      'status',
    ]);
    expect(Object.fromEntries(values)).toEqual({
      regtest: true,
      'rpc-bind-port': 5,
      'p2p-bind-port': 6,
      'add-peer': ['a:1', 'b:2'],
    });
    expect(words).toEqual(['status']);
  });

  test.each([
    [['--x'], "unrecognized option '--x'"],
    [['--rpc-bind-prot', '1'], "option '--rpc-bind-prot'; did you mean --rpc-bind-port?"],
    [['--regtest=1'], 'does not take any arguments'],
    [['--rpc-bind-port'], 'missing'],
    [['--rpc-bind-port', 'ten'], 'is invalid'],
    [['--rpc-bind-port', '65536'], 'is invalid: it takes a whole number from 0 to 65535'],
    [
      ['--rpc-workers', '100'],
      "('100') for option '--rpc-workers' is invalid: it takes a whole number from 0 to 64",
    ],
    [['--rpc-bind-port', '1', '--rpc-bind-port', '2'], 'more than once'],
    [['--off', '--offline'], 'more than once'],
    [['--log', '1'], "option '--log' is ambiguous and matches --log-file"],
    [['--rpc-bind', '1'], '--rpc-bind-ip, --rpc-bind-ipv6-address and --rpc-bind-port'],
    [['--LOG-LEV', '1'], "unrecognized option '--LOG-LEV'"],
    [['--=1'], "unrecognized option '--'"],
    [['--log-level='], "option '--log-level' should follow immediately after the equal sign"],
    [['--off='], "option '--offline' should follow immediately after the equal sign"],
    [['--off=1'], "option '--offline' does not take any arguments"],
  ])('refuses %j', (argv, message) => {
    expect(() => parseArguments(argv)).toThrow(message);
  });
});

describe('names cut short on the command line', () => {
  test.each([
    [['--config', 'm.conf'], { 'config-file': 'm.conf' }],
    [['--log-lev=1'], { 'log-level': '1' }],
    [['--prune'], { 'prune-blockchain': true }],
    [['--out', '-1'], { 'out-peers': -1 }],
    [['--out=-1'], { 'out-peers': -1 }],
    [['--rpc-ssl', 'disabled'], { 'rpc-ssl': 'disabled' }],
  ])('%j', (argv, values) => {
    expect(Object.fromEntries(parseArguments(argv).values)).toEqual(values);
  });

  test('every name that monerod takes for one option is taken for the same option here', () => {
    const names = MONEROD_OPTIONS.map(({ name }) => name);
    const compared = MONEROD_OPTIONS.flatMap(({ name, hasValue }) =>
      Array.from({ length: name.length - 1 }, (_, i) => name.slice(0, i + 1))
        .filter((typed) => !names.includes(typed))
        .filter((typed) => names.filter((each) => each.startsWith(typed)).length === 1)
        .map((typed) => {
          const { values } = parseArguments([`--${typed}`, ...(hasValue ? ['1'] : [])]);
          return { name, typed, found: [...values.keys()] };
        }),
    );
    expect(compared.length).toBeGreaterThan(500);
    expect(compared.filter(({ name, found }) => found.join() !== name)).toEqual([]);
  });

  test('words after -- are no options', () => {
    const { values, words } = parseArguments(['--off', '--', '--prune', 'x']);
    expect([[...values.keys()], words]).toEqual([['offline'], ['--prune', 'x']]);
  });
});

describe('config file', () => {
  test.each([
    ['offline=', { offline: true }],
    ['offline = ', { offline: true }],
    ['offline=ON', { offline: true }],
    ['offline=No', {}],
    ['proxy=\nlog-file=', { proxy: '', 'log-file': '' }],
    ['out-peers= -1', { 'out-peers': -1 }],
  ])('reads %j as monerod does', (content, values) => {
    expect(Object.fromEntries(parseConfig(content))).toEqual(values);
  });

  test.each([
    ['offline', "invalid line 'offline'"],
    ['offline=2', "Valid choices are 'on|off', 'yes|no', '1|0' and 'true|false'"],
    ['offline=0\noffline=1', 'more than once'],
    ['out-peers=', "the argument ('') for option '--out-peers' is invalid"],
    ['off=1', "Unrecognized option 'off' in config file"],
    ['OFFLINE=1', "Unrecognized option 'OFFLINE' in config file"],
  ])('refuses %j as monerod does', (content, message) => {
    expect(() => parseConfig(content)).toThrow(message);
  });

  test('reads settings, comments and switches', () => {
    const values = parseConfig('# comment\nregtest=1\nno-sync=0\nadd-peer=a\nadd-peer=b # x\n');
    expect(Object.fromEntries(values)).toEqual({ regtest: true, 'add-peer': ['a', 'b'] });
  });

  test('refuses anything but settings', () => {
    expect(() => parseConfig('nonsense=1')).toThrow("Unrecognized option 'nonsense'");
    expect(() => parseConfig('help=1')).toThrow('not allowed in the config file');
    expect(() => parseConfig('regtest=maybe')).toThrow('invalid');
  });

  test('an error names the file, the line and the option that was probably meant', () => {
    const path = join(mkdtempSync(join(tmpdir(), 'config-')), 'node.conf');
    writeFileSync(path, '# a comment\n\nlog-label=1\n');
    expect(() => readConfigFile(path, true)).toThrow(
      `Error parsing config file ${path}, line 3: Unrecognized option 'log-label' in config file; did you mean log-level?`,
    );
    rmSync(dirname(path), { recursive: true });
  });

  test('a word that resembles no option gets no suggestion', () => {
    expect(() => parseConfig('completely-different=1')).toThrow(/in config file$/);
    for (const word of ['x', 'tor', 'ssl', 'peer'])
      expect(() => parseArguments([`--${word}`])).toThrow(/'$/);
    // A command is not allowed in the file.
    expect(() => parseConfig('versions=1')).toThrow(/in config file$/);
  });

  test('gives way to the command line, except that lists combine', () => {
    const merged = mergeValues(
      new Map<string, OptionValue>([
        ['rpc-bind-port', 1],
        ['add-peer', ['a']],
      ]),
      new Map<string, OptionValue>([
        ['rpc-bind-port', 2],
        ['add-peer', ['b']],
        ['offline', true],
      ]),
    );
    expect(Object.fromEntries(merged)).toEqual({
      'rpc-bind-port': 1,
      'add-peer': ['a', 'b'],
      offline: true,
    });
  });

  test('must exist if it was named', () => {
    expect(() => readConfigFile('/nonexistent/x.conf', true)).toThrow("Can't find config file");
    expect(readConfigFile('/nonexistent/x.conf', false)).toBeUndefined();
  });
});

describe('settings', () => {
  let dir: string;
  beforeEach(() => {
    dir = mkdtempSync(join(tmpdir(), 'settings-'));
  });
  afterEach(() => rmSync(dir, { recursive: true }));
  const make = (...argv: string[]) => settingsOf('--data-dir', dir, ...argv);

  test.each([
    [[], 'mainnet', '', 18080, 18081],
    [['--testnet'], 'testnet', 'testnet', 28080, 28081],
    [['--stagenet'], 'stagenet', 'stagenet', 38080, 38081],
    [['--regtest'], 'regtest', 'fake', 18080, 18081],
  ])('%j determines network, directory and ports', (argv, name, sub, p2pPort, rpcPort) => {
    const settings = make(...argv);
    expect(settings.network.name).toBe(name);
    expect(settings.dataDir).toBe(join(dir, sub));
    expect(settings.p2p.bindPort).toBe(p2pPort);
    expect(settings.rpc.bindPort).toBe(rpcPort);
    expect(settings.logFile.path).toBe(join(dir, sub, 'bitmonero.log'));
  });

  test('refuse two networks at once', () => {
    expect(() => make('--testnet', '--regtest')).toThrow("Can't specify more than one");
  });

  test('reset the regtest chain unless it is to be kept', () => {
    expect(make('--regtest').resetChain).toBe(true);
    expect(make('--regtest', '--keep-fakechain').resetChain).toBe(false);
    expect(make().resetChain).toBe(false);
  });

  test('pass on a fixed difficulty', () => {
    expect(make('--fixed-difficulty', '7').network.fixedDifficulty).toBe(7n);
    expect(make().network.fixedDifficulty).toBeUndefined();
  });

  test('include the config file of the data directory', () => {
    writeFileSync(
      join(dir, 'bitmonero.conf'),
      'rpc-bind-port=1234\nlimit-rate=10\nlimit-rate-up=20\n',
    );
    const { rpc, p2p } = make();
    expect(rpc.bindPort).toBe(1234);
    expect([p2p.limitRateUp, p2p.limitRateDown]).toEqual([20, 10]);
  });

  test('refuse options whose absence matters and warn of harmless ones without effect', () => {
    expect(() => make('--rpc-payment-address', '4x')).toThrow(UsageError);
    expect(make('--igd', 'enabled').warnings).toEqual(['--igd has no effect']);
    const met = ['--no-igd', '--igd', 'disabled'];
    expect(make(...met).warnings).toEqual([]);
    expect(make('--sync-pruned-blocks').warnings).toEqual([]);
    expect(make('--sync-pruned-blocks', '--fast-block-sync', '0').warnings).toEqual([
      '--sync-pruned-blocks has no effect without trusted block hashes',
    ]);
    expect(make('--sync-pruned-blocks').p2p.syncPrunedBlocks).toBe(true);
  });

  test('name the reason for options that monerod has removed', () => {
    const why = 'monerod removed payment for RPC after 0.18';
    expect(() => make('--rpc-payment-address', '4x')).toThrow(
      `--rpc-payment-address is not available: ${why}`,
    );
    expect(make('--rpc-payment-credits', '1').warnings).toEqual([
      `--rpc-payment-credits has no effect: ${why}`,
    ]);
    expect(fullHelp('v')).toContain(`Payment for RPC [not available: ${why}]`);
  });

  test('have no console in the background, and a PID file only there', () => {
    expect(make().detach).toBeUndefined();
    expect(make().interactive).toBe(true);
    const detached = make('--detach');
    expect(detached).toMatchObject({ detach: { pidFile: undefined }, interactive: false });
    expect(make('--detach', '--pidfile', 'd.pid').detach?.pidFile).toBe(resolve('d.pid'));
    expect(make('--pidfile', 'd.pid')).toMatchObject({
      detach: undefined,
      warnings: ['--pidfile has no effect without --detach'],
    });
    const values = new OptionReader(new Map([['detach', true]]));
    expect(() => detachSettings(values, 'win32')).toThrow('not available on Windows');
  });

  test('read extra messages and report errors in them', () => {
    const file = join(dir, 'messages');
    expect(make().mining.extraMessages).toBeUndefined();
    const given = () => make('--extra-messages-file', file);
    expect(given).toThrow(`Failed to load file with extra messages: ${file}: ENOENT`);
    expect(given).toThrow(UsageError);
    writeFileSync(file, 'b25l\nno base64\n');
    expect(given).toThrow('line 2 is not base64');
    writeFileSync(file, 'b25l\ndHdv');
    writeFileSync(join(dir, 'miner_conf.json'), '{"current_extra_message_index": 1}');
    expect(given().mining.extraMessages).toMatchObject({ count: 2, index: 1 });
    expect(fullHelp('v')).toMatch(/--extra-messages-file FILE +Messages(?!.*not available)/);
  });

  test('warn of mining options that do nothing', () => {
    const idle = ['--mining-threads', '2', '--bg-mining-enable', '--bg-mining-idle-threshold', '9'];
    expect(make(...idle).warnings).toEqual([
      '--mining-threads has no effect without --start-mining',
      '--bg-mining-enable has no effect without --start-mining',
    ]);
  });

  test('take the options that monerod ignores or logs as monerod does', () => {
    expect(make('--fluffy-blocks').warnings).toEqual([]);
    expect(make('--show-time-stats', '1').warnings).toEqual([
      '--show-time-stats has no effect: --metrics-bind-port serves timings',
    ]);
  });

  test('never ask the DNS for checkpoints past a proxy', () => {
    const dnsOf = (...options: string[]) => make(...options).checkpoints.dns;
    expect([dnsOf(), dnsOf('--enforce-dns-checkpointing')]).toEqual(['warn', 'enforce']);
    const proxy = ['--proxy', '127.0.0.1:9050'];
    expect(dnsOf(...proxy)).toBe('off');
    expect(dnsOf(...proxy, '--enforce-dns-checkpointing')).toBe('off');
    expect(dnsOf(...proxy, '--proxy-allow-dns-leaks')).toBe('warn');
  });

  test('require a restricted port for a public node', () => {
    expect(() => make('--public-node')).toThrow('--restricted-rpc');
    expect(make('--public-node', '--restricted-rpc').p2p.rpcPort).toBe(18081);
    expect(make('--public-node', '--rpc-restricted-bind-port', '9').p2p.rpcPort).toBe(9);
    expect(make().p2p.rpcPort).toBe(0);
  });
});
