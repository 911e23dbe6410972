const COLUMNS = [
  ['blocks', 'blocks'],
  ['seconds', 'seconds'],
  ['blocksPerSecond', 'blocks/s'],
  ['transactionsPerSecond', 'txs/s'],
  ['cpuSeconds', 'CPU s'],
  ['sourceCpuSeconds', 'source CPU s'],
];
const NAME = 22;
const WIDTH = 13;

const cells = (texts) => texts.map((text) => text.padStart(WIDTH)).join('');
const times = (ratio) => `${ratio.toFixed(2)}x`;

function lines(title, part, results, baseline) {
  const rows = [title.padEnd(NAME) + cells(COLUMNS.map(([, label]) => label))];
  for (const result of results) {
    const figures = result[part];
    if (!figures) {
      rows.push(`${result.name.padEnd(NAME)}  all in one step: no figures`);
      continue;
    }
    rows.push(result.name.padEnd(NAME) + cells(COLUMNS.map(([key]) => figures[key].toFixed(1))));
    if (baseline?.[part] && result !== baseline) {
      const faster = baseline[part].seconds / figures.seconds;
      const thriftier = baseline[part].cpuSeconds / figures.cpuSeconds;
      rows.push(
        '  against monerod'.padEnd(NAME) +
          cells([times(faster), times(faster), times(faster), times(thriftier), '']),
      );
    }
  }
  return rows;
}

/** The results as text. Ratios above 1 mean faster, or less processor time, than monerod. */
export function formatTable(chain, results) {
  const baseline = results.find((result) => result.name === 'monerod');
  const { heavy } = chain;
  const answers = results.map(({ name, latency, longestStall }) => {
    const stall = longestStall === undefined ? '' : `; longest event-loop stall ${longestStall} ms`;
    const { median, p99, max } = latency;
    return (
      name.padEnd(NAME) +
      `median ${median.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, max ${max.toFixed(0)} ms of ${latency.answers}${stall}`
    );
  });
  return [
    `chain of ${chain.height} blocks and ${chain.transactions} transactions; blocks ${heavy.from} to ` +
      `${heavy.to} have ${heavy.fewestPerBlock} to ${heavy.mostPerBlock} each`,
    '',
    ...lines('whole chain', 'whole', results, baseline),
    '',
    ...lines('heavy blocks', 'heavy', results, baseline),
    '',
    '/get_info every 50 ms meanwhile',
    ...answers,
  ].join('\n');
}
