import { ChangeLog } from './change-log.ts';
import type { PoolEntry } from './pool-entry.ts';

/** How often each entry was looked at. */
let looks = 0;
const entry = (name: string): PoolEntry => {
  const made = {
    id: Buffer.from(name),
    get broadcast() {
      looks++;
      return true;
    },
  };
  return made as Partial<PoolEntry> as PoolEntry;
};
const names = (entries: readonly { readonly id: Uint8Array }[]) =>
  entries.map(({ id }) => Buffer.from(id).toString());

test('a poll looks at what is new, not at the whole pool', () => {
  const log = new ChangeLog();
  log.remove(entry('gone'), 1);
  for (let i = 0; i < 20_000; i++) log.add(entry(`${i}`), 1);
  log.add(entry('new'), 100);
  looks = 0;
  const changes = log.since(50, false);
  expect({ ...changes, added: names(changes.added) }).toEqual({
    incremental: true,
    added: ['new'],
    removed: [],
  });
  expect(looks).toBeLessThan(10);
});

test('finds additions made after the clock was set back', () => {
  const log = new ChangeLog();
  log.remove(entry('gone'), 1);
  log.add(entry('first'), 2);
  log.add(entry('late'), 1000);
  log.add(entry('after'), 500);
  expect(names(log.since(600, true).added)).toEqual(['late']);
  expect(names(log.since(400, true).added)).toEqual(['late', 'after']);
});

test('lists an entry once, from its last addition on', () => {
  const log = new ChangeLog();
  log.remove(entry('gone'), 1);
  const again = entry('again');
  log.add(again, 10);
  log.add(entry('other'), 20);
  log.add(again, 30);
  expect(names(log.since(0, true).added)).toEqual(['other', 'again']);
  expect(names(log.since(15, true).added)).toEqual(['other', 'again']);
  expect(names(log.since(25, true).added)).toEqual(['again']);
});

test('forgets entries that have left, however many there were', () => {
  const log = new ChangeLog();
  const kept = entry('kept');
  log.add(kept, 2);
  for (let i = 0; i < 1000; i++) {
    const passing = entry(`${i}`);
    log.add(passing, 3);
    log.remove(passing, 4);
  }
  const { added, removed } = log.since(5, true);
  expect(added).toEqual([]);
  expect(removed).toEqual([]);
  expect(names(log.since(0, true).added)).toEqual(['kept']);
  looks = 0;
  log.since(0, false);
  expect(looks).toBe(1);
});
