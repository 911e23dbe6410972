import { OptionReader } from './option-reader.ts';
import { UsageError } from './option-types.ts';
import { rpcWorkers } from './rpc-workers.ts';

const reader = (given?: number): OptionReader =>
  new OptionReader(new Map(given === undefined ? [] : [['rpc-workers', given]]));

test('there are as many as are asked for, none by default', () => {
  expect(rpcWorkers(reader(), 'linux')).toBe(0);
  expect(rpcWorkers(reader(2), 'linux')).toBe(2);
  expect(rpcWorkers(reader(0), 'win32')).toBe(0);
  expect(() => rpcWorkers(reader(1), 'win32')).toThrow(UsageError);
});
