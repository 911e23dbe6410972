import { jest } from '@jest/globals';
import { secureRandom } from '@monero-node/base';
import { Dandelion } from './dandelion.ts';
import type { FluffPeer } from './fluff-queue.ts';
import type { PeerRelayMethod } from '../contract/pool-for-p2p.ts';

interface Sent {
  readonly to: string;
  readonly fluff: boolean;
  readonly txs: number[];
  /** Milliseconds since the beginning. */
  readonly at: number;
}

const OUT: FluffPeer[] = ['out1', 'out2', 'out3'].map((id) => ({ id, incoming: false }));
const IN: FluffPeer[] = ['in1', 'in2'].map((id) => ({ id, incoming: true }));
const transaction = (n: number) => ({ id: Uint8Array.of(n), blob: Uint8Array.of(n) });

beforeEach(() => jest.useFakeTimers({ now: 0 }));
afterEach(() => jest.useRealTimers());

/** @param fluffing the kind of all epochs */
function lab({ fluffing = false, peers = [...OUT, ...IN], random = secureRandom } = {}) {
  const sent: Sent[] = [];
  const marked: [number, PeerRelayMethod][] = [];
  const gone = new Set<string>();
  let first = true;
  const dandelion = new Dandelion({
    stemCandidates: () =>
      peers.filter(({ id, incoming }) => !incoming && !gone.has(id)).map(({ id }) => id),
    peers: () => peers.filter(({ id }) => !gone.has(id)),
    send: (to, blobs, fluff) => {
      if (gone.has(to)) return false;
      sent.push({ to, fluff, txs: blobs.map((blob) => blob[0] ?? 0), at: Date.now() });
      return true;
    },
    markRelayed: (ids, method) => ids.forEach((id) => marked.push([id[0] ?? 0, method])),
    now: () => Date.now(),
    random: () => {
      // The first number drawn decides about the epoch.
      if (!first) return random();
      first = false;
      return fluffing ? 0.19 : 0.2;
    },
  });
  dandelion.start();
  return { dandelion, sent, marked, gone };
}

describe('in a stem epoch', () => {
  test('sends stem transactions at once to one outgoing peer only', () => {
    const { dandelion, sent, marked } = lab();
    dandelion.relay({ transactions: [transaction(1)], method: 'stem', from: 'in1' });
    dandelion.relay({ transactions: [transaction(2)], method: 'stem', from: 'in1' });
    jest.advanceTimersByTime(60_000);
    expect(sent).toMatchObject([
      { fluff: false, txs: [1], at: 0 },
      { fluff: false, txs: [2], at: 0 },
    ]);
    expect(sent[0]?.to).toMatch(/^out/);
    expect(sent[1]?.to).toBe(sent[0]?.to);
    expect(marked).toEqual([
      [1, 'stem'],
      [2, 'stem'],
    ]);
    dandelion.stop();
  });

  test('sends fluffed transactions to all other peers after a delay, sorted and once', () => {
    const { dandelion, sent, marked } = lab();
    dandelion.relay({
      transactions: [transaction(9), transaction(3)],
      method: 'fluff',
      from: 'in1',
    });
    dandelion.relay({ transactions: [transaction(3)], method: 'fluff', from: 'in1' });
    jest.advanceTimersByTime(120_000);
    expect(sent.map(({ to }) => to).sort()).toEqual(['in2', 'out1', 'out2', 'out3']);
    for (const { txs, fluff } of sent) expect({ txs, fluff }).toEqual({ txs: [3, 9], fluff: true });
    expect(marked.every(([, method]) => method === 'fluff')).toBe(true);
    dandelion.stop();
  });

  test('replaces a closed stem, and fluffs without any stem', () => {
    const { dandelion, sent, marked, gone } = lab({ peers: [OUT[0]!, OUT[1]!, ...IN] });
    gone.add('out1');
    dandelion.relay({ transactions: [transaction(1)], method: 'local' });
    expect(sent).toMatchObject([{ to: 'out2', fluff: false }]);
    gone.add('out2');
    dandelion.relay({ transactions: [transaction(2)], method: 'local' });
    expect(marked).toEqual([
      [1, 'stem'],
      [2, 'stem'],
      [2, 'fluff'],
    ]);
    jest.advanceTimersByTime(120_000);
    expect(
      sent
        .slice(1)
        .map(({ to, fluff }) => [to, fluff])
        .sort(),
    ).toEqual([
      ['in1', true],
      ['in2', true],
    ]);
    dandelion.stop();
  });
});

test('fluffs received transactions in a fluff epoch, but not those of this node', () => {
  const { dandelion, sent, marked } = lab({ fluffing: true });
  expect(dandelion.fluffing).toBe(true);
  dandelion.relay({ transactions: [transaction(1)], method: 'stem', from: 'in1' });
  expect(sent).toEqual([]);
  dandelion.relay({ transactions: [transaction(2)], method: 'local' });
  expect(sent).toMatchObject([{ fluff: false, txs: [2] }]);
  expect(marked).toEqual([
    [1, 'fluff'],
    [2, 'stem'],
  ]);
  jest.advanceTimersByTime(120_000);
  expect(sent.filter(({ fluff }) => fluff)).toHaveLength(4);
  dandelion.stop();
});

test('does not send transactions marked as private or from blocks', () => {
  const { dandelion, sent, marked } = lab();
  for (const method of ['none', 'block'] as const)
    dandelion.relay({ transactions: [transaction(1)], method });
  jest.advanceTimersByTime(120_000);
  expect([sent, marked]).toEqual([[], []]);
  dandelion.stop();
});

test('delays by quarter seconds, 5 s on average to incoming and 2.5 s to outgoing peers', () => {
  const peers = [
    ...Array.from({ length: 2000 }, (_, i) => ({ id: `in${i}`, incoming: true })),
    ...Array.from({ length: 2000 }, (_, i) => ({ id: `out${i}`, incoming: false })),
  ];
  const { dandelion, sent } = lab({ peers });
  dandelion.relay({ transactions: [transaction(1)], method: 'fluff' });
  jest.advanceTimersByTime(60_000);
  expect(sent).toHaveLength(4000);
  const mean = (kind: string): number => {
    const times = sent.filter(({ to }) => to.startsWith(kind)).map(({ at }) => at);
    expect(times.every((at) => at % 250 === 0)).toBe(true);
    return times.reduce((sum, at) => sum + at, 0) / times.length;
  };
  // Standard deviations of the means: 25 ms and 18 ms; six of them.
  expect(Math.abs(mean('in') - 5000)).toBeLessThan(150);
  expect(Math.abs(mean('out') - 2500)).toBeLessThan(106);
  dandelion.stop();
});

test('an epoch takes ten to ten and a half minutes, and one in five fluffs', () => {
  const epochs = 3000;
  const { dandelion } = lab({ peers: [] });
  let fluffing = 0;
  const times: number[] = [];
  const start = dandelion.start.bind(dandelion);
  jest.spyOn(dandelion, 'start').mockImplementation(() => {
    start();
    times.push(Date.now());
    if (dandelion.fluffing) fluffing++;
  });
  while (times.length < epochs) jest.advanceTimersToNextTimer();
  const lengths = times.map((time, i) => time - (times[i - 1] ?? 0));
  expect(Math.min(...lengths)).toBeGreaterThanOrEqual(600_000);
  expect(Math.max(...lengths)).toBeLessThanOrEqual(630_000);
  const mean = lengths.reduce((sum, each) => sum + each, 0) / epochs;
  expect(Math.abs(mean - 615_000)).toBeLessThan(1000);
  // Standard deviation 22; six of them.
  expect(Math.abs(fluffing - epochs / 5)).toBeLessThan(132);
  dandelion.stop();
});
