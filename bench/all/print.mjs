/** @import { Summary } from './summary.mjs' */

const LABEL = 40;
const WIDTH = 12;

/**
 * Returns a value with its three leading digits.
 *
 * @param {number} value
 */
export function short(value) {
  if (value >= 100) return value.toFixed(0);
  return value.toFixed(value >= 10 ? 1 : 2);
}

/**
 * Returns a ratio with its interval, if there is one.
 *
 * @param {Pick<Summary, 'ratio' | 'interval'>} summary
 */
export function ratioText({ ratio, interval }) {
  if (interval === null) return short(ratio);
  return `${short(ratio)} (${interval.map(short).join('–')})`;
}

/**
 * Prints all figures by group, beside their ratios of an earlier run, if there is one.
 *
 * @param {readonly Summary[]} figures
 * @param {readonly Summary[]} before
 */
export function printSummary(figures, before = []) {
  const earlier = new Map(before.map(({ id, ratio }) => [id, ratio]));
  /** @type {string | undefined} */
  let group;
  for (const figure of figures) {
    if (figure.group !== group) {
      group = figure.group;
      const heads = ['ours', 'baseline', 'unit', 'ratio', ...(before.length > 0 ? ['before'] : [])];
      console.log(`\n${group.padEnd(LABEL)}${heads.map((head) => head.padStart(WIDTH)).join('')}`);
    }
    const cells = [short(figure.ours), short(figure.baseline), figure.unit, ratioText(figure)];
    const was = earlier.get(figure.id);
    if (before.length > 0) cells.push(was === undefined ? '–' : short(was));
    console.log(figure.label.padEnd(LABEL) + cells.map((cell) => cell.padStart(WIDTH)).join(''));
  }
}
