// Summarizes several rounds of a bench.
import { meanOf, median } from '../statistics.mjs';

/**
 * A figure of one round: ours beside that of the baseline, which is monerod unless the bench says otherwise.
 *
 * @typedef {object} Figure
 * @property {string} id    the same in every round and on every machine
 * @property {string} group heading under which it is shown
 * @property {string} label
 * @property {string} unit
 * @property {boolean} more whether more is better
 * @property {number} ours
 * @property {number} baseline
 * @property {boolean} steady whether it is processor time or memory, which other programs on the machine hardly change
 */

/** Returns how many times as good as the baseline a figure is: above 1 ours is better. */
function ratioOf({ more, ours, baseline }) {
  return more ? ours / baseline : baseline / ours;
}

/**
 * Returns the figures of all rounds by group, one entry for each id, in the order of their first appearance: medians of both
 * sides, the geometric mean of the ratios, and the interval that holds it with 95 % confidence (null after a single round).
 *
 * @param {readonly (readonly Figure[])[]} rounds
 */
export function summarize(rounds) {
  const byId = new Map();
  for (const figure of rounds.flat()) {
    const ratio = ratioOf(figure);
    if (!(ratio > 0 && Number.isFinite(ratio))) continue;
    if (!byId.has(figure.id)) byId.set(figure.id, []);
    byId.get(figure.id).push({ ...figure, ratio });
  }
  const summaries = [...byId.values()].map(summaryOf);
  const groups = [...new Set(summaries.map(({ group }) => group))];
  return groups.flatMap((name) => summaries.filter(({ group }) => group === name));
}

function summaryOf(figures) {
  const [{ id, group, label, unit, more }] = figures;
  const logs = figures.map(({ ratio }) => Math.log(ratio));
  const spread = meanOf(logs);
  const mean = logs.reduce((sum, value) => sum + value, 0) / logs.length;
  return {
    id,
    group,
    label,
    unit,
    more,
    rounds: figures.length,
    ours: median(figures.map((figure) => figure.ours)),
    baseline: median(figures.map((figure) => figure.baseline)),
    ratio: Math.exp(mean),
    interval: spread
      ? [Math.exp(mean - spread.halfWidth), Math.exp(mean + spread.halfWidth)]
      : null,
  };
}
