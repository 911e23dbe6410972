/** @import { Row } from '../crypto.mjs' */

const CASE = 36;
const BACKEND = 17;
const FIGURE = 11;

/** @param {number | undefined} value */
const figure = (value) => (value === undefined ? '–' : value.toFixed(value < 10 ? 2 : 0));

/** @param {number | undefined} ratio */
const times = (ratio) => (ratio === undefined ? '–' : `${ratio.toFixed(2)}x`);
const UPSTREAM_NOTE =
  "Upstream's test_check_tx_signature is no baseline for transactions of today: its own are of older types.";

/**
 * @param {Row} row
 * @param {readonly string[]} notes
 */
function formatRow({ case: name, backend, ours, theirs, ratio, bestRatio, note }, notes) {
  const mark = note ? ` [${notes.indexOf(note) + 1}]` : '';
  const cells = [figure(ours.median), figure(theirs?.median), times(ratio), times(bestRatio)];
  return (
    name.padEnd(CASE) +
    backend.padEnd(BACKEND) +
    cells.map((cell) => cell.padStart(FIGURE)).join('') +
    mark
  );
}

/** @param {string} title */
function heading(title) {
  const labels = ['ours', 'monerod', 'ratio', 'at best'];
  return (
    `${title}, µs each`.padEnd(CASE) +
    'backend'.padEnd(BACKEND) +
    labels.map((label) => label.padStart(FIGURE)).join('')
  );
}

/**
 * Returns tables as text, followed by notes about the baselines.
 *
 * @param {{ title: string, rows: Row[] }[]} tables
 */
export function formatTables(tables) {
  const notes = [...new Set(tables.flatMap(({ rows }) => rows.flatMap(({ note }) => note ?? [])))];
  const filled = tables.filter(({ rows }) => rows.length > 0);
  return [
    ...filled.flatMap(({ title, rows }) => [
      heading(title),
      ...rows.map((row) => formatRow(row, notes)),
      '',
    ]),
    'Median times. ratio: how many times faster than monerod; at best: the same of the fastest calls, which a',
    'busy machine disturbs least; – : package monero-tests is not installed.',
    UPSTREAM_NOTE,
    ...(notes.length > 0 ? ['Baselines computed from the parts that upstream tests:'] : []),
    ...notes.map((note, i) => `  [${i + 1}] ${note}`),
  ].join('\n');
}
