import { IdOrder } from './id-order.ts';
import { PoolEntry } from './pool-entry.ts';
import { toHex } from '@monero-node/codec';

/** An entry whose id has the given last bytes, the last one first. */
function entry(...end: number[]): PoolEntry {
  const id = new Uint8Array(32);
  for (const [i, byte] of end.entries()) id[31 - i] = byte;
  const none = new Uint8Array(32);
  return new PoolEntry({
    id,
    keyImages: [],
    load: () => undefined,
    meta: {
      weight: 1500,
      fee: 1n,
      receiveTime: 0,
      lastRelayedTime: undefined,
      maxUsedBlockHeight: 0,
      maxUsedBlockId: none,
      lastFailedHeight: 0,
      lastFailedId: none,
      relayMethod: 0,
      relayed: true,
      doubleSpendSeen: false,
    },
  });
}

const ends = (order: IdOrder) => order.list().map(({ id }) => toHex(id.slice(24).reverse()));

test('compares ids from the last byte on, also where the last six are equal', () => {
  const order = new IdOrder();
  const ids = [
    [1, 1, 1, 1, 1, 1, 2],
    [2],
    [1, 1, 1, 1, 1, 1, 1],
    [0, 255],
    [1, 0, 0, 9],
    [255, 255, 255, 255, 255, 255, 255],
  ];
  for (const id of ids) order.add(entry(...id));
  expect(ends(order)).toEqual([
    '00ff000000000000',
    '0100000900000000',
    '0101010101010100',
    '0101010101010200',
    '0200000000000000',
    'ffffffffffffff00',
  ]);
});

test('stays the same as a sorted list through additions and removals', () => {
  const order = new IdOrder();
  const present = new Map<number, PoolEntry>();
  let state = 7;
  const random = (below: number) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    return (state >>> 8) % below;
  };
  for (let step = 0; step < 3000; step++) {
    const number = random(500);
    const known = present.get(number);
    if (known === undefined) {
      const added = entry(number >> 8, number & 255);
      present.set(number, added);
      order.add(added);
    } else {
      present.delete(number);
      order.remove(known);
      // Sometimes it comes back before anybody has looked.
      if (random(3) === 0) {
        present.set(number, known);
        order.add(known);
      }
    }
    if (step % 50 > 0) continue;
    const sorted = [...present].sort(([a], [b]) => a - b).map(([, each]) => each);
    expect(order.list()).toEqual(sorted);
  }
});

test('returns the same list until a change, and later changes leave that list alone', () => {
  const order = new IdOrder();
  const [a, b] = [entry(1), entry(2)];
  order.add(a);
  const before = order.list();
  expect(order.list()).toBe(before);
  order.add(b);
  order.remove(a);
  expect(before).toEqual([a]);
  expect(order.list()).toEqual([b]);
});
