import { StorageError } from '@monero-node/storage';
import { EXIT } from './exit-codes.ts';
import { failureOfStart, failureOfStore } from './failure.ts';

const system = (code: string) => Object.assign(new Error(`${code}: from the system`), { code });

test.each(['ENOSPC', 'EDQUOT', 'EROFS'])('%s ends with the status of a failing disk', (code) => {
  const failure = failureOfStart(system(code), '/data');
  expect(failure.status).toBe(EXIT.storage);
  expect(failure.text).toContain('/data');
});

test('the reason of the disk counts when another error explains it', () => {
  const error = new Error('cannot open the log file (--log-file)', { cause: system('EROFS') });
  expect(failureOfStart(error, '/data')).toEqual({
    status: EXIT.storage,
    text: expect.stringContaining('read-only'),
  });
});

test('a store that has failed is one line of the log', () => {
  expect(failureOfStore(new StorageError('io', 'the disk is full'), '/data')).toEqual({
    status: EXIT.storage,
    text: 'stopping: the disk is full',
  });
});

test('a wrong path is no failure of the disk', () => {
  const error = new Error('cannot open the log file (--log-file)', { cause: system('EISDIR') });
  expect(failureOfStart(error, '/data')).toEqual({ status: EXIT.failed, text: error.message });
});

test('a store that another process has is no failure of the disk', () => {
  expect(failureOfStart(new StorageError('locked', 'in use'), '/data').status).toBe(EXIT.failed);
  expect(failureOfStart(new StorageError('damaged', 'bad'), '/data').status).toBe(EXIT.storage);
});
