import { OptionReader, type OptionValue } from '../given-options.ts';
import { CHAIN_OPTIONS } from './chain-options.ts';
import { GENERAL_OPTIONS } from './general-options.ts';
import { OPTIONS } from './options.ts';
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

test('a row hands its value on to the field it names, which no other row does', () => {
  const given = new OptionReader(
    new Map<string, OptionValue>([
      ['rpc-max-connections', 7],
      ['add-peer', ['h:1']],
      ['no-sync', true],
    ]),
  );
  expect(given.fieldsOf('rpc')).toMatchObject({ maxConnections: 7, restrictedRpc: false });
  expect(given.fieldsOf('p2p')).toMatchObject({
    addPeers: ['h:1'],
    noSync: true,
    bindIp: '0.0.0.0',
  });
  for (const part of ['rpc', 'p2p'] as const) {
    const fields = OPTIONS.flatMap((option) => option[part] ?? []);
    expect(new Set(fields).size).toBe(fields.length);
  }
});

test('the table defines the name and the type of an option', () => {
  const values = new OptionReader(new Map([['max-log-files', 7]]));
  const files: number = values.get('max-log-files');
  expect(files).toBe(7);
  // @ts-expect-error there is no such option
  expect(() => values.get('max-log-file')).toThrow(TypeError);
});
