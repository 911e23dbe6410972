import { jest } from '@jest/globals';
import { silentLogger } from '@monero-node/base';
import { takeServiceManager, watchdogInterval } from './service-manager.ts';
import { statusText } from './status-text.ts';

const PID = 4711;
const warnings: string[] = [];
const logger = { ...silentLogger, warn: (line: string) => void warnings.push(line) };

describe('the watchdog', () => {
  test.each([
    [{ WATCHDOG_USEC: '60000000' }, 30_000],
    [{ WATCHDOG_USEC: '60000000', WATCHDOG_PID: String(PID) }, 30_000],
    [{ WATCHDOG_USEC: '60000000', WATCHDOG_PID: '1' }, undefined],
    [{ WATCHDOG_USEC: '18446744073709551615' }, 2 ** 31 - 1],
    [{ WATCHDOG_USEC: '1' }, undefined],
    [{ WATCHDOG_USEC: 'soon' }, undefined],
    [{}, undefined],
  ])('%j asks for a sign of life every %p ms', (environment, interval) => {
    expect(watchdogInterval(environment, PID)).toBe(interval);
  });
});

describe('the status', () => {
  const p2p = { incomingCount: 1, outgoingCount: 7, synchronized: false, targetHeight: 0 };
  test.each([
    [1200, { targetHeight: 3600 }, 'Synchronizing: block 1200 of 3600 (33.3%), 8 peers'],
    [9999, { targetHeight: 10_000 }, 'Synchronizing: block 9999 of 10000 (99.9%), 8 peers'],
    [5, { synchronized: true, incomingCount: 0 }, 'Synchronized at height 5, 7 peers'],
    [5, { incomingCount: 0, outgoingCount: 1 }, 'Height 5, 1 peer'],
    [1, { incomingCount: 0, outgoingCount: 0, synchronized: true }, 'Height 1, no peers'],
  ])('at height %p with %j', (height, state, text) => {
    expect(statusText({ blockchain: { height }, p2p: { ...p2p, ...state } })).toBe(text);
  });
});

describe('notifications', () => {
  let sent: string[][];
  let closed: boolean;
  const connect = (_socket: string, onTrouble: (why: string) => void) => ({
    send: (...assignments: string[]) => {
      sent.push(assignments);
      onTrouble('no such socket');
      return Promise.resolve();
    },
    close: () => {
      closed = true;
    },
  });
  beforeEach(() => {
    jest.useFakeTimers();
    sent = [];
    closed = false;
    warnings.length = 0;
  });
  afterEach(() => void jest.useRealTimers());

  test('are sent at the start, when the status changes, as signs of life and at the stop', async () => {
    const environment = { NOTIFY_SOCKET: '/x', WATCHDOG_USEC: '60000000', OTHER: 'kept' };
    const manager = takeServiceManager(environment, PID, logger, connect);
    expect(environment).toEqual({ OTHER: 'kept' });
    let status = 'Height 1';
    manager.started(() => status);
    await jest.advanceTimersByTimeAsync(10_000);
    status = 'Height 2';
    await jest.advanceTimersByTimeAsync(20_000);
    await manager.stopping();
    await jest.advanceTimersByTimeAsync(120_000);
    expect(sent).toEqual([
      ['READY=1', 'STATUS=Height 1'],
      ['STATUS=Height 2'],
      ['WATCHDOG=1'],
      ['STOPPING=1', 'STATUS=Stopping'],
    ]);
    expect(closed).toBe(true);
  });

  test('tell what happens before the start has ended, without ending it', () => {
    const manager = takeServiceManager({ NOTIFY_SOCKET: '/x' }, PID, logger, connect);
    manager.starting('copied 1 %');
    manager.starting('copied 1 %');
    manager.starting('copied 2 %');
    expect(sent).toEqual([['STATUS=copied 1 %'], ['STATUS=copied 2 %']]);
  });

  test('that fail cause one warning', async () => {
    const manager = takeServiceManager({ NOTIFY_SOCKET: '/x' }, PID, logger, connect);
    manager.started(() => 'Height 1');
    await manager.stopping();
    expect(sent).toHaveLength(2);
    expect(warnings).toEqual([
      'the service manager (NOTIFY_SOCKET) cannot be notified: no such socket',
    ]);
  });

  test.each([{}, { NOTIFY_SOCKET: '' }])('go nowhere with %j', async (environment) => {
    const manager = takeServiceManager(environment, PID, logger, connect);
    manager.started(() => 'Height 1');
    await manager.stopping();
    expect(sent).toEqual([]);
  });
});
