import { poisson, randomBelow } from './distributions.ts';
import { secureRandom, seededRandom } from './source.ts';

/** Returns the probabilities of 0, 1, 2, … by the definition, e^-m m^k / k!. */
function probabilities(mean: number, upTo: number): number[] {
  const all = [Math.exp(-mean)];
  for (let k = 1; k <= upTo; k++) all.push(((all[k - 1] ?? 0) * mean) / k);
  return all;
}

test.each([
  ['secure', secureRandom],
  ['seeded', seededRandom(1)],
])('the %s source returns fractions in [0, 1), evenly spread', (_name, random) => {
  const bins = Array.from({ length: 10 }, () => 0);
  const draws = 50_000;
  for (let i = 0; i < draws; i++) {
    const value = random();
    if (value < 0 || value >= 1) throw new Error(`${value} is outside [0, 1)`);
    bins[Math.floor(value * 10)]! += 1;
  }
  // Standard deviation 67; seven of them.
  for (const count of bins) expect(Math.abs(count - draws / 10)).toBeLessThan(470);
});

test('the seeded source repeats itself for the same seed and differs for another', () => {
  const draw = (seed: number): number[] => Array.from({ length: 4 }, seededRandom(seed));
  expect(draw(7)).toEqual(draw(7));
  expect(draw(7)).not.toEqual(draw(8));
});

test('randomBelow covers both ends of its range', () => {
  expect(randomBelow(100, () => 1 - 2 ** -53)).toBe(99);
  expect(randomBelow(100, () => 0)).toBe(0);
});

// The means in use: fluff to outgoing and incoming peers (quarter seconds), and the embargo (seconds).
test.each([10, 20, 39])('poisson follows the Poisson distribution of mean %i', (mean) => {
  const draws = 40_000;
  const counts = new Map<number, number>();
  for (let i = 0; i < draws; i++) {
    const value = poisson(mean, secureRandom);
    counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  // Pearson's test over all values expected at least ten times; the rest is one bin.
  const expected = probabilities(mean, 4 * mean).map((p) => p * draws);
  let statistic = 0;
  let bins = 0;
  let restExpected = draws;
  let restSeen = draws;
  for (const [k, wanted] of expected.entries()) {
    if (wanted < 10) continue;
    const seen = counts.get(k) ?? 0;
    statistic += (seen - wanted) ** 2 / wanted;
    bins++;
    restExpected -= wanted;
    restSeen -= seen;
  }
  statistic += (restSeen - restExpected) ** 2 / Math.max(1, restExpected);
  // Chi square with about `bins` degrees of freedom has standard deviation sqrt(2 bins); eight of them.
  expect(Math.abs(statistic - bins)).toBeLessThan(8 * Math.sqrt(2 * bins));
});
