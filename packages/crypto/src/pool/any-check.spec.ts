import { joinPacked } from './any-check.ts';
import type { PackedCheck } from './check-bytes.ts';

/** A part whose bytes take longer to copy than a slice of the event loop. */
class LongPart implements PackedCheck {
  readonly kind = 'points';
  readonly ends = [1];

  get bytes(): Uint8Array {
    const until = performance.now() + 11;
    while (performance.now() < until);
    return Uint8Array.of(7);
  }
}

test('parts are joined in slices, so that a long batch does not hold the event loop', async () => {
  const joining = joinPacked('points', [new LongPart(), new LongPart(), new LongPart()]);
  let rounds = 0;
  const counter = setInterval(() => rounds++, 0);
  expect(await joining).toEqual({
    kind: 'points',
    bytes: Uint8Array.of(7, 7, 7),
    ends: [1, 2, 3],
  });
  clearInterval(counter);
  expect(rounds).toBeGreaterThanOrEqual(2);
});
