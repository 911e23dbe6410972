import type { RpcOptions } from '@monero-node/rpc';
import { OptionReader } from './option-reader.ts';
import { UsageError } from './option-types.ts';
import { rpcWorkers } from './rpc-workers.ts';

const reader = (given?: number): OptionReader =>
  new OptionReader(new Map(given === undefined ? [] : [['rpc-workers', given]]));
const closed: RpcOptions = { bindPort: 1, bindIp: '127.0.0.1', restrictedBindIp: '0.0.0.0' };
const open: RpcOptions = { ...closed, restrictedBindPort: 2 };
const machine = (cores: number, platform: NodeJS.Platform = 'linux') => ({ cores, platform });

test('by default half the cores answer on public ports, and none on small machines', () => {
  expect(rpcWorkers(reader(), open, machine(8))).toBe(4);
  expect(rpcWorkers(reader(), open, machine(3))).toBe(1);
  expect(rpcWorkers(reader(), open, machine(2))).toBe(0);
  expect(rpcWorkers(reader(), closed, machine(8))).toBe(0);
  expect(rpcWorkers(reader(), { ...closed, bindIp: '10.0.0.1' }, machine(8))).toBe(4);
});

test('a number that is given counts, but not on Windows', () => {
  expect(rpcWorkers(reader(2), closed, machine(2))).toBe(2);
  expect(rpcWorkers(reader(0), open, machine(8))).toBe(0);
  expect(rpcWorkers(reader(), open, machine(8, 'win32'))).toBe(0);
  expect(() => rpcWorkers(reader(1), open, machine(8, 'win32'))).toThrow(UsageError);
});
