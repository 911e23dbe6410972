import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArguments } from './parse-arguments.ts';
import { makeDaemonSettings, type DaemonSettings } from './daemon-settings.ts';

let dir: string;
beforeEach(() => {
  dir = mkdtempSync(join(tmpdir(), 'settings-'));
});
afterEach(() => rmSync(dir, { recursive: true }));
const make = (...argv: string[]): DaemonSettings =>
  makeDaemonSettings(parseArguments(['--data-dir', dir, ...argv]).values);

test('metrics are off unless a port is given', () => {
  expect(make().metrics).toBeUndefined();
  expect(make('--metrics-bind-port', '9100').metrics).toEqual({
    bindIp: '127.0.0.1',
    bindPort: 9100,
  });
  expect(make('--metrics-bind-port', '1', '--metrics-bind-ip', '[::1]').metrics).toEqual({
    bindIp: '::1',
    bindPort: 1,
  });
});

test('an address without a port is warned about', () => {
  expect(make('--metrics-bind-ip', '::').warnings).toEqual([
    '--metrics-bind-ip has no effect without --metrics-bind-port',
  ]);
  expect(make('--metrics-bind-ip', '::', '--metrics-bind-port', '1').warnings).toEqual([]);
});
