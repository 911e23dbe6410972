import { jest } from '@jest/globals';
import { stderrLogger } from './stderr-logger.ts';

test('writes what an operator should see, with time and level', () => {
  const write = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  const logger = stderrLogger().child('net');
  logger.warn('the broker is away');
  logger.debug('asked again');
  const lines = write.mock.calls.map(([line]) => String(line));
  write.mockRestore();
  expect(lines).toEqual([
    expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z warning the broker is away\n$/),
  ]);
});
