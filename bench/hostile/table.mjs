/**
 * @import { Row } from '../hostile.mjs'
 * @import { Figures, Skipped } from './measure.mjs'
 * @import { ClientFigures } from './probes.mjs'
 */
/**
 * The texts of a node by column; those of one that was not attacked say only why.
 *
 * @typedef {{ stall?: string, cpu?: string, memory?: string, info?: string, newClient?: string, peer?: string, block?: string | undefined, note?: string }} Cells
 */

/** @param {number | null} value */
const ms = (value) => (value === null ? '–' : `${value.toFixed(0)} ms`);

/** @param {Pick<ClientFigures, 'worst' | 'failed'>} figures */
function client({ worst, failed }) {
  return `${ms(worst)}${failed > 0 ? ` (${failed} failed)` : ''}`;
}

/**
 * Returns the figures of one node as texts by column.
 *
 * @param {Figures | Skipped | undefined} figures
 * @returns {Cells}
 */
function cells(figures) {
  if (figures === undefined) return {};
  if ('skipped' in figures) return { note: figures.skipped };
  return {
    stall: figures.stall > 0 ? `${ms(figures.stallAlone)} (${ms(figures.stall)})` : '–',
    cpu: `${figures.cpuSeconds.toFixed(1)} s`,
    memory: `${figures.memory.toFixed(0)} MB`,
    info: client(figures.getInfo),
    newClient: client(figures.newClient),
    peer: client(figures.peer),
    block:
      figures.block &&
      `${client(figures.block)}, refusal of a bad nonce ${ms(figures.block.worstRefusal)}`,
    note: figures.crashed ? 'ended' : '',
  };
}

/** @param {Figures} figures */
const countsOf = ({ counts }) =>
  Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');

/**
 * Returns the result of one attack in a few lines.
 *
 * @param {Row} row
 */
export function formatRow(row) {
  const lines = [`${row.id}: ${row.what}`];
  for (const name of /** @type {const} */ (['ours', 'monerod'])) {
    const figures = row[name];
    if (figures === undefined) continue;
    if ('skipped' in figures) {
      lines.push(`  ${name}: skipped, ${figures.skipped}`);
      continue;
    }
    const { stall, cpu, memory, info, newClient, peer, block, note } = cells(figures);
    lines.push(
      `  ${name}: stall ${stall}, CPU ${cpu}, memory ${memory}, get_info ${info}, new client ${newClient}, ` +
        `peer ${peer}${block ? `, block on top ${block}` : ''}${note ? `, ${note}` : ''} [${countsOf(figures)}]`,
    );
    for (const line of [...(figures.lastLines ?? []), ...figures.errors])
      lines.push(`    | ${line}`);
  }
  if (row.ours)
    lines.push(`  ${row.misses.length === 0 ? 'ok' : `missed: ${row.misses.join('; ')}`}`);
  return lines.join('\n');
}

/** @type {readonly [string, (row: Row) => string | undefined][]} */
const COLUMNS = [
  ['row', ({ id }) => id],
  ['attack', ({ what }) => what],
  ['stall', (row) => cells(row.ours).stall],
  ['CPU', (row) => cells(row.ours).cpu],
  ['memory', (row) => cells(row.ours).memory],
  ['get_info', (row) => cells(row.ours).info],
  ['new client', (row) => cells(row.ours).newClient],
  ['peer', (row) => cells(row.ours).peer],
  ['monerod: CPU', (row) => cells(row.monerod).cpu ?? cells(row.monerod).note],
  ['memory', (row) => cells(row.monerod).memory],
  ['get_info', (row) => cells(row.monerod).info],
  ['new client', (row) => cells(row.monerod).newClient],
  ['peer', (row) => cells(row.monerod).peer],
  ['targets', ({ misses }) => (misses.length === 0 ? 'ok' : 'missed')],
];

/** @param {readonly Row[]} rows */
function textRows(rows) {
  return [
    COLUMNS.map(([name]) => name),
    ...rows.map((row) => COLUMNS.map(([, of]) => of(row) ?? '')),
  ];
}

/**
 * Returns a table for a terminal.
 *
 * @param {readonly Row[]} rows
 */
export function terminalTable(rows) {
  const lines = textRows(rows);
  const widths = COLUMNS.map((_, i) => Math.max(...lines.map((line) => line[i]?.length ?? 0)));
  return lines
    .map((line) => line.map((text, i) => text.padEnd(widths[i] ?? 0)).join('  '))
    .join('\n');
}

/**
 * Returns a table in Markdown.
 *
 * @param {readonly Row[]} rows
 */
export function markdownTable(rows) {
  const [head, ...lines] = textRows(rows).map((cellTexts) => `| ${cellTexts.join(' | ')} |`);
  return [head, `|${COLUMNS.map(() => ' --- |').join('')}`, ...lines].join('\n');
}
