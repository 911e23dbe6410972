import { OptionReader } from './given-options.ts';
import { UsageError } from './usage-error.ts';
import { rpcWorkers } from './rpc-settings.ts';

const reader = (given?: number): OptionReader =>
  new OptionReader(new Map(given === undefined ? [] : [['rpc-workers', given]]));

const LOOPBACK = {
  bindIp: '127.0.0.1',
  restrictedBindIp: '127.0.0.1',
  restrictedBindPort: undefined,
  useIpv6: false,
  bindIpv6Address: '::1',
  restrictedBindIpv6Address: '::1',
};
const PUBLIC = { ...LOOPBACK, bindIp: '0.0.0.0' };
const memory = 64 * 1024 ** 3;
const linux = (cores: number) => ({ cores, memory, platform: 'linux' as const });
const windows = { cores: 16, memory, platform: 'win32' as const };

test('there are as many as are asked for', () => {
  expect(rpcWorkers(reader(2), LOOPBACK, linux(1))).toBe(2);
  expect(rpcWorkers(reader(0), PUBLIC, linux(16))).toBe(0);
  expect(rpcWorkers(reader(0), PUBLIC, windows)).toBe(0);
  expect(() => rpcWorkers(reader(1), PUBLIC, windows)).toThrow(UsageError);
});

test.each([
  [1, 0],
  [3, 0],
  [4, 2],
  [7, 3],
  [16, 8],
  [64, 8],
])('on a public port, %i cores have %i by default', (cores, expected) => {
  expect(rpcWorkers(reader(), PUBLIC, linux(cores))).toBe(expected);
  expect(rpcWorkers(reader(), PUBLIC, { cores, memory, platform: 'win32' })).toBe(0);
});

test.each([
  [1, 0],
  [2, 0],
  [2.5, 2],
  [3, 4],
  [8, 8],
])('with %d GiB of memory, 16 cores have %i by default', (gib, expected) => {
  const machine = { cores: 16, memory: gib * 1024 ** 3, platform: 'linux' as const };
  expect(rpcWorkers(reader(), PUBLIC, machine)).toBe(expected);
  expect(rpcWorkers(reader(5), PUBLIC, machine)).toBe(5);
});

test('there are none by default where only this machine can connect', () => {
  const any = '0.0.0.0';
  const count = (listeners: Partial<Parameters<typeof rpcWorkers>[1]>) =>
    rpcWorkers(reader(), { ...LOOPBACK, ...listeners }, linux(16));
  expect(count({})).toBe(0);
  expect(count({ restrictedBindIp: any })).toBe(0);
  expect(count({ restrictedBindIp: any, restrictedBindPort: 18089 })).toBe(8);
  expect(count({ bindIpv6Address: '::' })).toBe(0);
  expect(count({ bindIpv6Address: '::', useIpv6: true })).toBe(8);
});
