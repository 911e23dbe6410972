import { jest } from '@jest/globals';
import type { FinishedCall } from '../finished-call.ts';
import { MethodUses } from '../method-uses.ts';
import { CallReports } from './main-client.ts';
import type { ToMain } from './channel.ts';

const CALL: FinishedCall = {
  interface: 'http',
  address: '203.0.113.7',
  request: '/json_rpc get_info',
  method: 'get_info',
  status: '200',
  isSent: true,
  secondsToAnswer: 0.001,
  seconds: 0.002,
  bytes: 1234,
};

let sent: ToMain[];
let reports: CallReports;
let uses: MethodUses;
beforeEach(() => {
  jest.useFakeTimers();
  sent = [];
  uses = new MethodUses(() => reports.soon());
  reports = new CallReports(uses, (message) => sent.push(message));
});
afterEach(() => jest.useRealTimers());

test('the use of methods is reported when no calls are', () => {
  uses.add({ name: 'get_info', count: 1, time: 2 });
  uses.add({ name: 'get_info', count: 1, time: 3 });
  expect(sent).toEqual([]);
  jest.advanceTimersByTime(50);
  const first = { kind: 'calls', calls: [], uses: [{ name: 'get_info', count: 2, time: 5 }] };
  expect(sent).toEqual([first]);
  jest.advanceTimersByTime(1000);
  expect(sent).toHaveLength(1);
  uses.add({ name: 'get_block', count: 1, time: 1 });
  jest.advanceTimersByTime(50);
  expect(sent[1]).toEqual({
    kind: 'calls',
    calls: [],
    uses: [{ name: 'get_block', count: 1, time: 1 }],
  });
});

test('calls are reported together, at once when there are many', () => {
  for (let i = 0; i < 499; i++) reports.add(CALL);
  expect(sent).toEqual([]);
  reports.add(CALL);
  expect(sent).toEqual([{ kind: 'calls', calls: Array(500).fill(CALL), uses: [] }]);
  reports.add(CALL);
  reports.flush();
  jest.advanceTimersByTime(1000);
  expect(sent.slice(1)).toEqual([{ kind: 'calls', calls: [CALL], uses: [] }]);
});
