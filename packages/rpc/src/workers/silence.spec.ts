import { jest } from '@jest/globals';
import { NETWORKS } from '@monero-node/consensus/networks';
import { recordedChain } from '../testing/recorded.ts';
import { RpcWorker } from './worker.ts';
import { Silence } from './silence.ts';
import { workerNode } from './worker-services.ts';

let now = 0;
let silence: Silence;
beforeEach(() => {
  now = 0;
  silence = new Silence(() => now);
});

/** Looks four times a second. */
function pass(milliseconds: number): void {
  for (const end = now + milliseconds; now < end;) {
    now += 250;
    silence.look();
  }
}

test('a worker is not ready when the main process has said nothing for three seconds, until it does', () => {
  const reasons = ['behind'];
  const reasonsOf = (notReady?: string[]) =>
    workerNode({} as never, { current: { notReady }, silence } as never).notReady?.();
  pass(2_750);
  expect([reasonsOf(), reasonsOf(reasons)]).toEqual([undefined, reasons]);
  pass(250);
  expect(reasonsOf()).toEqual(['main_process_silent']);
  expect(reasonsOf(reasons)).toEqual(['main_process_silent', 'behind']);
  silence.end();
  expect(reasonsOf(reasons)).toBe(reasons);
});

test('a worker repeats to other nodes of the fleet what the main process tells them, until that is silent', () => {
  const facts = { current: { fleetAnswer: '{"statements":[]}' }, silence };
  const { fleetAnswer } = workerNode({} as never, facts as never);
  pass(2_750);
  expect(fleetAnswer?.()).toBe('{"statements":[]}');
  pass(250);
  expect(fleetAnswer?.()).toBeUndefined();
});

test('a main process that stalls for a second, and a worker that does so for long, are not silent', () => {
  pass(1_500);
  // What the main process has said meanwhile waits to be read.
  now += 60_000;
  expect(silence.look()).toBe(2_500);
});

test('whatever the main process says to a worker ends the silence', async () => {
  const chain = await recordedChain();
  const end = jest.spyOn(Silence.prototype, 'end');
  const worker = await RpcWorker.following({ store: chain.store } as never, {
    setup: { network: NETWORKS.mainnet, ports: {}, trustedProxies: [] } as never,
    facts: {} as never,
    send: () => undefined,
  });
  await worker.take({ kind: 'beat' });
  expect(end).toHaveBeenCalledTimes(1);
  await Promise.all([worker.stop(), chain.stop()]);
});
