import { silentLogger, type Logger } from '@monero-node/base';
import type { FinishedCall } from '@monero-node/rpc';
import { callLogger } from './log-calls.ts';

const CALL: FinishedCall = {
  interface: 'http',
  address: '203.0.113.7',
  request: '/json_rpc get_info',
  method: 'get_info',
  status: '200',
  isSent: true,
  secondsToAnswer: 0.001,
  seconds: 0.00234,
  bytes: 1234,
};

/** Returns the line that is logged about a call, after its category. */
function lineOf(call: Partial<FinishedCall>): string {
  const lines: string[] = [];
  const child = (category: string): Logger => ({
    ...silentLogger,
    info: (message) => lines.push(`${category}: ${message}`),
  });
  callLogger({ ...silentLogger, child }).onCall({ ...CALL, ...call });
  return lines.join();
}

test.each<[Partial<FinishedCall>, string]>([
  [{}, 'net.http: 203.0.113.7 /json_rpc get_info: 200, 2.3 ms, 1234 bytes'],
  [{ status: 'error' }, 'net.http: 203.0.113.7 /json_rpc get_info: error, 2.3 ms, 1234 bytes'],
  [{ isSent: false }, 'net.http: 203.0.113.7 /json_rpc get_info: cut off, 2.3 ms, 1234 bytes'],
  [
    { interface: 'zmq', request: 'get_info', status: 'ok' },
    'net.zmq: 203.0.113.7 get_info: ok, 2.3 ms, 1234 bytes',
  ],
  [
    { interface: 'zmq', address: undefined },
    'net.zmq: local /json_rpc get_info: 200, 2.3 ms, 1234 bytes',
  ],
  [
    { interface: 'local', address: undefined },
    'daemon.rpc: console /json_rpc get_info: 200, 2.3 ms, 1234 bytes',
  ],
])('a call is one line: %j', (call, line) => {
  expect(lineOf(call)).toBe(line);
});
