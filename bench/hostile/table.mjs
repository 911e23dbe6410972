const ms = (value) => (value === null || value === undefined ? '–' : `${value.toFixed(0)} ms`);

function client({ worst, failed }) {
  return `${ms(worst)}${failed > 0 ? ` (${failed} failed)` : ''}`;
}

/** Returns the figures of one node as texts by column. */
function cells(figures) {
  if (figures === undefined) return {};
  if (figures.skipped) return { note: figures.skipped };
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

const countsOf = ({ counts = {} }) =>
  Object.entries(counts)
    .map(([name, count]) => `${name} ${count}`)
    .join(', ');

/** Returns the result of one attack in a few lines. */
export function formatRow(row) {
  const lines = [`${row.id}: ${row.what}`];
  for (const name of ['ours', 'monerod']) {
    if (!row[name]) continue;
    const { stall, cpu, memory, info, newClient, peer, block, note } = cells(row[name]);
    lines.push(
      row[name].skipped
        ? `  ${name}: skipped, ${note}`
        : `  ${name}: stall ${stall}, CPU ${cpu}, memory ${memory}, get_info ${info}, new client ${newClient}, ` +
            `peer ${peer}${block ? `, block on top ${block}` : ''}${note ? `, ${note}` : ''} [${countsOf(row[name])}]`,
    );
    for (const line of [...(row[name].lastLines ?? []), ...(row[name].errors ?? [])])
      lines.push(`    | ${line}`);
  }
  if (row.ours)
    lines.push(`  ${row.misses.length === 0 ? 'ok' : `missed: ${row.misses.join('; ')}`}`);
  return lines.join('\n');
}

/** @type {[string, (row: object) => string | undefined][]} */
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

function textRows(rows) {
  return [
    COLUMNS.map(([name]) => name),
    ...rows.map((row) => COLUMNS.map(([, of]) => of(row) ?? '')),
  ];
}

/** Returns a table for a terminal. */
export function terminalTable(rows) {
  const lines = textRows(rows);
  const widths = COLUMNS.map((_, i) => Math.max(...lines.map((line) => line[i].length)));
  return lines.map((line) => line.map((text, i) => text.padEnd(widths[i])).join('  ')).join('\n');
}

/** Returns a table in Markdown. */
export function markdownTable(rows) {
  const [head, ...lines] = textRows(rows).map((cellTexts) => `| ${cellTexts.join(' | ')} |`);
  return [head, `|${COLUMNS.map(() => ' --- |').join('')}`, ...lines].join('\n');
}
