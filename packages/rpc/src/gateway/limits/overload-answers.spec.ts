import { jest } from '@jest/globals';
import { CallScheduler, OverloadError } from '../../scheduling/call-scheduler.ts';
import { ask } from '../../testing/http.ts';
import { recordedServer, type RecordedServer } from '../../testing/recorded-server.ts';

let node: RecordedServer;
const run = jest.spyOn(CallScheduler.prototype, 'run');
beforeEach(async () => {
  node = await recordedServer();
});
afterEach(async () => {
  run.mockReset();
  await node.stop();
});

test.each([
  [429, 'Too Many Requests', true],
  [503, 'Service Unavailable', false],
])(
  'a call for which there is no time gets %i, and when to come again',
  async (status, phrase, isCallers) => {
    run.mockImplementation(() => Promise.reject(new OverloadError(isCallers)));
    const body = '{"jsonrpc":"2.0","id":"0","method":"get_info"}';
    for (const path of ['/json_rpc', '/get_height', '/get_blocks.bin']) {
      const answer = await ask(node.restrictedPort, { verb: 'POST', path, body });
      expect([path, answer.status, answer.phrase]).toEqual([path, status, phrase]);
      expect(answer.headers['retry-after']).toBe('2');
      expect(answer.body.toString()).toMatch(/^(This client|The node) .*\.\n$/);
    }
    // Probes are not calls.
    const probe = await ask(node.restrictedPort, { verb: 'GET', path: '/health/live' });
    expect(probe.status).toBe(200);
  },
);

test('only calls at restricted ports lose their patience', async () => {
  const patience: unknown[] = [];
  run.mockImplementation((claim) => {
    patience.push(claim.patience);
    return Promise.reject(new OverloadError(false));
  });
  await ask(node.port, { verb: 'GET', path: '/get_height' });
  await ask(node.restrictedPort, { verb: 'GET', path: '/get_height' });
  expect(patience).toEqual([undefined, expect.any(Number)]);
  // What the wait for a slot has left of five seconds.
  expect(patience[1]).toBeLessThanOrEqual(5000);
  expect(patience[1]).toBeGreaterThan(0);
});

test('another failure is no overload', async () => {
  run.mockImplementation(() => Promise.reject(new Error('broken')));
  await expect(ask(node.restrictedPort, { verb: 'GET', path: '/get_height' })).rejects.toThrow();
});
