import { createHash } from 'node:crypto';
import { biasedHashToPoint, unbiasedHashToPoint } from './hash-to-point.ts';

/** Of the points of the texts '0' to '63'. Package crypto has another implementation, which is tested against the same value. */
const BOTH = '44b7f61d371e87e331ae51ddb54029bf9570e230ad4112eabfd8bb908af94d20';

test('both implementations of the maps have the same points', () => {
  const points = createHash('sha256');
  for (let i = 0; i < 64; i++) {
    const data = new TextEncoder().encode(String(i));
    points.update(biasedHashToPoint(data).toBytes()).update(unbiasedHashToPoint(data).toBytes());
  }
  expect(points.digest('hex')).toBe(BOTH);
});
