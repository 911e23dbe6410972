import { silentLogger } from './silent-logger.ts';

test('a child of the silent logger is silent', () => {
  expect(silentLogger.child('net.p2p')).toBe(silentLogger);
  expect(silentLogger.error('ignored')).toBeUndefined();
});
