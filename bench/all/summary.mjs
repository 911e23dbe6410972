// Summarizes several rounds of a bench.
import { meanOf, median } from '../statistics.mjs';
import { present } from '../values.mjs';

/**
 * @import { describeMachine } from '../machine.mjs'
 * @import { Threads } from './read-figures.mjs'
 */

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

/**
 * A figure of all rounds.
 *
 * @typedef {Omit<Figure, 'steady'> & { rounds: number, ratio: number, interval: [number, number] | null }} Summary
 */
/**
 * The file of figures.
 *
 * @typedef {object} Report
 * @property {string} date
 * @property {ReturnType<typeof describeMachine>} machine
 * @property {boolean} quick
 * @property {number} rounds
 * @property {number} seconds that the run took
 * @property {string} [note] what differed from a whole run, added by hand
 * @property {Summary[]} figures
 * @property {Threads | undefined} threads
 */

/**
 * Returns how many times as good as the baseline a figure is: above 1 ours is better.
 *
 * @param {Figure} figure
 */
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
  /** @type {Map<string, (Figure & { ratio: number })[]>} */
  const byId = new Map();
  for (const figure of rounds.flat()) {
    const ratio = ratioOf(figure);
    if (!(ratio > 0 && Number.isFinite(ratio))) continue;
    const others = byId.get(figure.id) ?? [];
    byId.set(figure.id, [...others, { ...figure, ratio }]);
  }
  const summaries = [...byId.values()].map(summaryOf);
  const groups = [...new Set(summaries.map(({ group }) => group))];
  return groups.flatMap((name) => summaries.filter(({ group }) => group === name));
}

/**
 * @param {readonly (Figure & { ratio: number })[]} figures with the same id
 * @returns {Summary}
 */
function summaryOf(figures) {
  const { id, group, label, unit, more } = present(figures[0]);
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
