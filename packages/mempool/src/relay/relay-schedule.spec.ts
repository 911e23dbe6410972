import type { PoolTxMeta } from '@monero-node/storage';
import { LIFETIME } from '../limits.ts';
import { PoolEntry } from '../store/pool-entry.ts';
import { RELAY_METHODS, type RelayMethod } from '../store/relay-method.ts';
import { RelaySchedule } from './relay-schedule.ts';

const NOW = 1_700_000_000;
const zeros = new Uint8Array(32);

function entry(relay: RelayMethod, meta: Partial<PoolTxMeta> = {}): PoolEntry {
  return new PoolEntry({
    id: zeros,
    keyImages: [],
    load: () => undefined,
    meta: {
      weight: 1,
      fee: 1n,
      receiveTime: NOW,
      maxUsedBlockHeight: 0,
      maxUsedBlockId: zeros,
      lastFailedHeight: 0,
      lastFailedId: zeros,
      relayMethod: RELAY_METHODS.indexOf(relay),
      relayed: true,
      doubleSpendSeen: false,
      ...meta,
    },
  });
}

/** Returns the method by which a single entry is sent at a given time, if any. */
function sent(one: PoolEntry, now: number): RelayMethod | undefined {
  return [...new RelaySchedule(0, Math.random).due([one], now, () => {}).keys()][0];
}

describe('when transactions are sent again', () => {
  test('sends what was never sent at once, by a method that reveals no more than necessary', () => {
    const fresh = { relayed: false };
    const methods = RELAY_METHODS.map((method) => sent(entry(method, fresh), NOW));
    expect(methods).toEqual([undefined, 'local', 'stem', 'fluff', 'fluff', 'fluff']);
    expect(sent(entry('fluff', { ...fresh, fee: 0n }), NOW)).toBeUndefined();
    // It was public on arrival, and this node never sent it.
    expect(sent(entry('fluff'), NOW + 3600)).toBeUndefined();
  });

  test('sends a transaction less often the longer it waits, but at least every four hours', () => {
    const after = (last: number, wait: number) =>
      sent(entry('fluff', { lastRelayedTime: NOW + last }), NOW + last + wait);
    expect([after(0, 300), after(0, 301)]).toEqual([undefined, 'fluff']);
    expect([after(299, 300), after(299, 301)]).toEqual([undefined, 'fluff']);
    expect([after(300, 600), after(300, 601)]).toEqual([undefined, 'fluff']);
    const long = 20 * 3600;
    expect([after(long, 4 * 3600), after(long, 4 * 3600 + 1)]).toEqual([undefined, 'fluff']);
    expect(after(0, LIFETIME / 2)).toBe('fluff');
    expect(after(0, LIFETIME / 2 + 1)).toBeUndefined();
    expect(sent(entry('block', { lastRelayedTime: NOW }), NOW + LIFETIME / 2 + 1)).toBe('fluff');
  });

  test('sends many in turns, each once, and what became due meanwhile in time', () => {
    const all = Array.from({ length: 450 }, () => entry('fluff', { relayed: false }));
    const held = entry('stem', { lastRelayedTime: NOW + 10 });
    const schedule = new RelaySchedule(NOW, Math.random);
    const due = (now: number): PoolEntry[] => {
      const found = [...schedule.due([held, ...all], now, () => {}).values()].flat();
      for (const one of found) one.relayed = true;
      return found;
    };
    const turns = [0, 1, 2].map((second) => due(NOW + second));
    expect(turns.map(({ length }) => length)).toEqual([200, 200, 50]);
    expect(new Set(turns.flat())).toEqual(new Set(all));
    expect([3, 9].map((second) => due(NOW + second).length)).toEqual([0, 0]);
    expect(due(NOW + 10)).toEqual([held]);
  });

  test('sends stem and held transactions when they are due, and then postpones them', () => {
    const stem = entry('stem', { lastRelayedTime: NOW + 40 });
    const schedule = new RelaySchedule(NOW, Math.random);
    const changed: PoolEntry[] = [];
    const due = (now: number) => [...schedule.due([stem], now, (one) => changed.push(one)).keys()];
    expect(due(NOW)).toEqual([]);
    expect(due(NOW + 39)).toEqual([]);
    expect(due(NOW + 40)).toEqual(['fluff']);
    expect(changed).toEqual([stem]);
    expect(stem.relayTime).toBe(NOW + 40 + 300);
    expect(due(NOW + 41)).toEqual([]);
  });

  test('draws delays in whole seconds around the averages', () => {
    const schedule = new RelaySchedule(NOW, Math.random);
    for (const [method, average] of [
      ['stem', 39],
      ['forward', 22],
    ] as const) {
      const waits = Array.from({ length: 4000 }, () => (schedule.dueTime(method, NOW) ?? 0) - NOW);
      expect(waits.every((wait) => Number.isInteger(wait) && wait >= 0)).toBe(true);
      const mean = waits.reduce((sum, wait) => sum + wait, 0) / waits.length;
      // The deviation of the mean is a tenth of a second.
      expect(Math.abs(mean - average)).toBeLessThan(0.8);
      const variance = waits.reduce((sum, wait) => sum + (wait - mean) ** 2, 0) / waits.length;
      expect(Math.abs(variance - average)).toBeLessThan(8);
    }
    expect(schedule.dueTime('fluff', NOW)).toBeUndefined();
  });
});
