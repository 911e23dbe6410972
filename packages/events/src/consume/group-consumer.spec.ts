import { lostOf } from './group-consumer.ts';

// Members have confirmed all up to message 10; of those up to 20, some were confirmed out of order.
const place = (pending: number, given = 20, handled = 10) => ({
  ack_floor: { stream_seq: handled },
  delivered: { stream_seq: given },
  num_ack_pending: pending,
});

test.each([
  ['keeps the next one', place(3), 11, 0],
  ['has dropped less than is pending', place(3), 13, 2],
  ['has dropped more than is pending, of what was given', place(3), 21, 3],
  ['has dropped what nobody was given', place(3), 31, 13],
  ['has dropped what was handled out of order', place(0), 21, 0],
  ['has dropped all behind the last one that was handled', place(0, 10), 31, 20],
  ['begins later for a group that has handled nothing', place(0, 0, 0), 31, 0],
])('a stream that %s', (_, consumer, firstSequence, lost) => {
  expect(lostOf(consumer, firstSequence)).toBe(lost);
});
