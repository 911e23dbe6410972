import { DEFAULT_OUT_PEERS, DEFAULT_RATE } from '@monero-node/p2p/settings';
import { OptionReader } from '../given-options.ts';
import { CHAIN_OPTIONS } from './chain-options.ts';
import { GENERAL_OPTIONS } from './general-options.ts';
import { OPTIONS, optionNamed } from './options.ts';
import { P2P_OPTIONS } from './p2p-options.ts';
import { RPC_OPTIONS } from './rpc-options.ts';
import { SERVICE_OPTIONS } from './service-options.ts';
import { STRATUM_OPTIONS } from './stratum-options.ts';

test('no option has rows in two tables', () => {
  const tables = [
    GENERAL_OPTIONS,
    CHAIN_OPTIONS,
    P2P_OPTIONS,
    RPC_OPTIONS,
    SERVICE_OPTIONS,
    STRATUM_OPTIONS,
  ];
  const names = tables.flatMap((table) => Object.keys(table));
  expect(OPTIONS.map(({ name }) => name)).toEqual(names);
});

test('an option that is not given has the default of its row, a switch is off and a list is empty', () => {
  const values = new OptionReader(new Map());
  expect(values.get('max-log-files')).toBe(50);
  expect(values.get('rpc-bind-ip')).toBe('127.0.0.1');
  expect(values.get('offline')).toBe(false);
  expect(values.get('add-peer')).toEqual([]);
  // Its default depends on the network.
  expect(values.get('rpc-bind-port')).toBeUndefined();
  expect(values.has('max-log-files')).toBe(false);
});

test('the shown defaults of peers and rates are those of the peer-to-peer network, which --help does not load', () => {
  expect(optionNamed('out-peers')?.default).toBe(String(DEFAULT_OUT_PEERS));
  expect(optionNamed('limit-rate-up')?.default).toBe(String(DEFAULT_RATE.up));
  expect(optionNamed('limit-rate-down')?.default).toBe(String(DEFAULT_RATE.down));
});

test('the table defines the name and the type of an option', () => {
  const values = new OptionReader(new Map([['max-log-files', 7]]));
  const files: number = values.get('max-log-files');
  expect(files).toBe(7);
  // @ts-expect-error there is no such option
  expect(() => values.get('max-log-file')).toThrow(TypeError);
});
