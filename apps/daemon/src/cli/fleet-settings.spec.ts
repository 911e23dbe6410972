import { fleetSettings } from './rpc-settings.ts';
import { OptionReader } from './given-options.ts';
import { parseArguments } from './parse-arguments.ts';

const read = (...argv: string[]) => fleetSettings(new OptionReader(parseArguments(argv).values));

test('a node alone may lack three blocks, needs a peer, and stops at once', () => {
  expect(read()).toEqual({
    readiness: { maxLag: 3, maxTipAge: 0, minPeers: 1, minFreeSpace: 0 },
    fleetNodes: [],
    drainSeconds: 0,
  });
});

test('every figure can be set', () => {
  const figures = ['--ready-max-lag', '1', '--ready-max-tip-age', '3600', '--ready-min-peers', '4'];
  expect(read(...figures, '--ready-min-disk', '2000000000', '--drain-seconds', '10')).toEqual({
    readiness: { maxLag: 1, maxTipAge: 3600, minPeers: 4, minFreeSpace: 2e9 },
    fleetNodes: [],
    drainSeconds: 10,
  });
});

test('nodes are names or addresses with a port, or names of SRV records without', () => {
  const service = '_monero-rpc._tcp.fleet.example.';
  const given = ['10.0.0.2:18089', '[fd00::2]:18089', 'node-3.example:1', service];
  expect(read(...given.flatMap((each) => ['--fleet-node', each])).fleetNodes).toEqual([
    { host: '10.0.0.2', port: 18089 },
    { host: 'fd00::2', port: 18089 },
    { host: 'node-3.example', port: 1 },
    { host: service, port: undefined },
  ]);
});

test.each([
  'node',
  'node:',
  ':18089',
  'node:0',
  'node:65536',
  'fd00::2:18089',
  'http://node:1',
  '_monero.example',
  '_monero._sctp.example',
  '_monero._tcp',
  '',
])('%j is no node', (text) => {
  expect(() => read('--fleet-node', text)).toThrow(/is neither HOST:PORT|fleet-node/);
});

test('a drain has a bound', () => {
  expect(() => read('--drain-seconds', '3601')).toThrow(/drain-seconds/);
});
