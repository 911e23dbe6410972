import { NETWORKS } from '@monero-node/consensus';
import { parseArguments } from './parse-arguments.ts';
import { completeLogin, readLogin } from './rpc-login.ts';
import {
  bootstrapWarnings,
  hiddenServices,
  hiddenServiceWarnings,
  rpcOptions,
} from './rpc-settings.ts';
import { OptionReader } from './given-options.ts';

const valuesOf = (...argv: string[]): OptionReader => new OptionReader(parseArguments(argv).values);
const optionsOf = (...argv: string[]) => rpcOptions(valuesOf(...argv), NETWORKS.mainnet, '/data');

describe('login', () => {
  test.each([
    ['user:pass', { username: 'user', password: 'pass' }],
    ['user:', { username: 'user', password: '' }],
    ['user:a:b', { username: 'user', password: 'a:b' }],
    ['user', { username: 'user', password: undefined }],
  ])('reads %s', (text, expected) => {
    expect(readLogin(valuesOf('--rpc-login', text), undefined)).toEqual(expected);
    expect(readLogin(valuesOf(), text)).toEqual(expected);
  });

  test('prefers the option to the environment, and is off without both', () => {
    expect(readLogin(valuesOf('--rpc-login', 'a:b'), 'c:d')?.username).toBe('a');
    expect(readLogin(valuesOf(), undefined)).toBeUndefined();
    expect(readLogin(valuesOf(), '')).toBeUndefined();
  });

  test.each([':pass', ':', ''])('refuses %j, which has no user name', (text) => {
    expect(() => readLogin(valuesOf('--rpc-login', text), undefined)).toThrow('cannot be empty');
  });

  test('asks for a missing password, twice when it is being set', async () => {
    const asked: string[] = [];
    const answering =
      (...answers: string[]) =>
      (question: string) => {
        asked.push(question);
        return Promise.resolve(answers.shift());
      };
    const login = { username: 'u', password: undefined };
    const once = { repeat: false };
    const twice = { repeat: true };
    expect(await completeLogin(login, answering('p'), once)).toEqual({
      username: 'u',
      password: 'p',
    });
    expect(await completeLogin(login, answering('p', 'p'), twice)).toMatchObject({ password: 'p' });
    await expect(completeLogin(login, answering('p', 'q'), twice)).rejects.toThrow('do not match');
    await expect(completeLogin(login, answering(), twice)).rejects.toThrow('no terminal');
    expect(asked).toHaveLength(6);
  });

  test('does not ask for a password that was given', async () => {
    const nobody = () => Promise.reject(new Error('asked'));
    const login = { username: 'u', password: '' };
    expect(await completeLogin(login, nobody, { repeat: true })).toEqual(login);
  });
});

describe('TLS', () => {
  test('is in autodetect mode by default', () => {
    expect(optionsOf().tls).toMatchObject({ mode: 'autodetect', directory: '/data' });
    expect(optionsOf('--rpc-ssl', 'enabled').tls?.mode).toBe('enabled');
    expect(() => optionsOf('--rpc-ssl', 'maybe')).toThrow('--rpc-ssl must be one of');
  });

  test('takes files and the rules for client certificates', () => {
    const { tls } = optionsOf(
      ...['--rpc-ssl-private-key', '/k', '--rpc-ssl-certificate', '/c'],
      ...['--rpc-ssl-ca-certificates', '/ca', '--rpc-ssl-allowed-fingerprints', 'aa'],
      ...['--rpc-ssl-allowed-fingerprints', 'bb', '--rpc-ssl-allow-chained'],
    );
    expect(tls).toEqual({
      mode: 'autodetect',
      directory: '/data',
      privateKey: '/k',
      certificate: '/c',
      caCertificates: '/ca',
      allowedFingerprints: ['aa', 'bb'],
      allowChained: true,
      allowAnyCert: false,
    });
  });
});

test('reads the bootstrap daemon and its login', () => {
  expect(optionsOf().bootstrapDaemon).toBeUndefined();
  const address = ['--bootstrap-daemon-address', 'h:1'];
  expect(optionsOf(...address).bootstrapDaemon).toEqual({ address: 'h:1' });
  expect(optionsOf(...address, '--bootstrap-daemon-login', 'u:p:q').bootstrapDaemon).toEqual({
    address: 'h:1',
    login: { username: 'u', password: 'p:q' },
  });
  expect(() => optionsOf(...address, '--bootstrap-daemon-login', 'u')).toThrow('USER:PASSWORD');
});

test('reads the proxy of the bootstrap daemon and that of everything', () => {
  const address = ['--bootstrap-daemon-address', 'h:1'];
  const through = (proxy: string) => [...address, '--bootstrap-daemon-proxy', proxy];
  expect(optionsOf(...through('127.0.0.1:9050'))).toMatchObject({
    bootstrapDaemon: { address: 'h:1', proxy: { host: '127.0.0.1', port: 9050, version: '4a' } },
    proxy: undefined,
  });
  expect(
    optionsOf(...through('[::1]:1'), '--bootstrap-daemon-login', 'u:p').bootstrapDaemon,
  ).toMatchObject({ login: { username: 'u' }, proxy: { host: '::1', port: 1 } });
  for (const bad of ['localhost:9050', '127.0.0.1', 'x://127.0.0.1:1']) {
    expect(() => optionsOf(...through(bad))).toThrow(
      `Failed to parse bootstrap-daemon-proxy: ${bad} is not`,
    );
  }
  expect(optionsOf('--proxy', 'socks5://127.0.0.1:9051').proxy).toMatchObject({ version: '5' });
  const both = valuesOf(...through('127.0.0.1:1'), '--proxy', '127.0.0.1:2');
  expect(bootstrapWarnings(both)).toEqual(['--bootstrap-daemon-proxy has no effect with --proxy']);
});

test('reads IPv6 addresses with and without brackets', () => {
  expect(optionsOf()).toMatchObject({ useIpv6: false, ignoreIpv4: false, bindIpv6Address: '::1' });
  expect(
    optionsOf(
      ...['--rpc-use-ipv6', '--rpc-ignore-ipv4', '--rpc-bind-ipv6-address', '[fe80::1]'],
      ...['--rpc-restricted-bind-ipv6-address', '::'],
    ),
  ).toMatchObject({
    useIpv6: true,
    ignoreIpv4: true,
    bindIpv6Address: 'fe80::1',
    restrictedBindIpv6Address: '::',
  });
});

test('the page is served to the owner unless told otherwise', () => {
  expect(optionsOf().page).toBe('owner');
  for (const mode of ['owner', 'all', 'none'])
    expect(optionsOf('--rpc-page', mode).page).toBe(mode);
  for (const mode of ['', 'Owner', 'public'])
    expect(() => optionsOf('--rpc-page', mode)).toThrow('must be one of owner, all, none');
});

test('trusted proxies are separated by commas; none by default', () => {
  expect(optionsOf().trustedProxies).toEqual([]);
  const given = optionsOf('--rpc-trusted-proxy', '127.0.0.1, 10.0.0.0/8,fd00::/8');
  expect(given.trustedProxies).toEqual(['127.0.0.1', '10.0.0.0/8', 'fd00::/8']);
});

describe('hidden services', () => {
  const ONION = 'vww6ybal4bd7szmgncyruucpgfkqahzddi37ktceo3ah7ngmcopnpyyd.onion';
  const I2P = 'uqj3aphckqtjsitz7kxx5flqpwjlq5ppr3chazfued7xucv3nheq.b32.i2p';
  const restricted = ['--rpc-restricted-bind-port', '18089', '--rpc-page', 'all'];
  const servicesOf = (services: readonly string[], ...argv: string[]) =>
    hiddenServices(
      valuesOf(...argv, ...services.flatMap((each) => ['--rpc-hidden-service', each])),
    );

  test('are read with their ports, each once', () => {
    const given = [`${ONION.toUpperCase()}:18089`, `${I2P}:80`, `${ONION}:18089`];
    const isEncrypted = false;
    expect(servicesOf(given, ...restricted)).toEqual([
      { host: ONION, port: 18_089, isEncrypted },
      { host: I2P, port: 80, isEncrypted },
    ]);
    expect(servicesOf([])).toEqual([]);
    const tls = servicesOf([`${ONION}:1`], '--restricted-rpc', '--rpc-ssl', 'enabled');
    expect(tls).toEqual([{ host: ONION, port: 1, isEncrypted: true }]);
  });

  test.each([
    ['no port', ONION],
    ['port 0', `${ONION}:0`],
    ['a port that is none', `${ONION}:65536`],
    ['a wrong checksum', `${ONION.replace(/^v/, 'w')}:18089`],
    ['a name of version 2', 'expyuzz4wqqyqhjn.onion:18089'],
    ['an address of the internet', '203.0.113.7:18089'],
    ['another name', 'node.example:18089'],
    ['markup', `<b>${ONION}:18089`],
  ])('are refused with %s', (_what, text) => {
    expect(() => servicesOf([text], ...restricted)).toThrow(
      `Failed to parse rpc-hidden-service: ${text} is not the address`,
    );
  });

  test('are refused without a restricted port, and when there are too many', () => {
    expect(() => servicesOf([`${ONION}:1`], '--rpc-page', 'all')).toThrow(
      '--rpc-hidden-service needs --restricted-rpc or --rpc-restricted-bind-port',
    );
    const many = [1, 2, 3, 4, 5].map((port) => `${ONION}:${port}`);
    expect(servicesOf(many.slice(0, 4), ...restricted)).toHaveLength(4);
    expect(() => servicesOf(many, ...restricted)).toThrow('may be given 4 times');
  });

  test('that no page shows give a warning', () => {
    const given = ['--rpc-hidden-service', `${ONION}:1`];
    expect(hiddenServiceWarnings(valuesOf(...given))).toEqual([
      '--rpc-hidden-service has no effect without --rpc-page all',
    ]);
    expect(hiddenServiceWarnings(valuesOf(...given, ...restricted))).toEqual([]);
    expect(hiddenServiceWarnings(valuesOf())).toEqual([]);
  });
});
