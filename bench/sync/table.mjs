/**
 * @import { RecordedChain } from '../chain/recorder.mjs'
 * @import { Latency } from './latency.mjs'
 * @import { Stretch, SyncResult } from './measure-sync.mjs'
 */

/** @type {readonly [Exclude<keyof Stretch, 'threads'>, string][]} */
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
const NAME_OF_ROLE = 42;

/** @param {readonly string[]} texts */
const cells = (texts) => texts.map((text) => text.padStart(WIDTH)).join('');
/** @param {number} ratio */
const times = (ratio) => `${ratio.toFixed(2)}x`;

/**
 * Returns the ratios to the baseline: time, blocks, transactions, processor time. Measurements start at the first
 * height seen, so they differ in length and only rates are comparable.
 *
 * @param {Stretch} figures
 * @param {Stretch} baseline
 */
function ratios(figures, baseline) {
  const blocks = figures.blocksPerSecond / baseline.blocksPerSecond;
  const transactions = figures.transactionsPerSecond / baseline.transactionsPerSecond;
  const cpu = baseline.cpuSeconds / baseline.blocks / (figures.cpuSeconds / figures.blocks);
  return [blocks, blocks, transactions, cpu].map(times);
}

/**
 * @param {string} title
 * @param {'whole' | 'heavy'} part
 * @param {readonly SyncResult[]} results
 * @param {SyncResult | undefined} baseline
 */
function lines(title, part, results, baseline) {
  const rows = [title.padEnd(NAME) + cells(COLUMNS.map(([, label]) => label))];
  for (const result of results) {
    const figures = result[part];
    if (!figures) {
      rows.push(`${result.name.padEnd(NAME)}  all in one step: no figures`);
      continue;
    }
    const texts = COLUMNS.map(([key]) => figures[key].toFixed(key === 'blocks' ? 0 : 1));
    rows.push(result.name.padEnd(NAME) + cells(texts));
    const theirs = baseline?.[part];
    if (theirs && result !== baseline) {
      rows.push('  against monerod'.padEnd(NAME) + cells(['', ...ratios(figures, theirs)]));
    }
  }
  return rows;
}

/**
 * Returns the processor time of our threads by role during one part, in all and for each transaction.
 *
 * @param {string} title
 * @param {'whole' | 'heavy'} part
 * @param {readonly SyncResult[]} results
 */
function threadLines(title, part, results) {
  const labels = ['user s', 'system s', 'ms/tx', 'share'];
  return results.flatMap(({ name, [part]: figures }) => {
    if (figures === undefined || name === 'monerod') return [];
    const { threads, transactions, cpuSeconds } = figures;
    return [
      `${title}: threads of ${name}`.padEnd(NAME_OF_ROLE) + cells(labels),
      ...Object.entries(threads).map(([role, { user, system }]) => {
        const all = user + system;
        const each = transactions > 0 ? ((1000 * all) / transactions).toFixed(3) : '';
        const texts = [user.toFixed(2), system.toFixed(2), each];
        return (
          role.padEnd(NAME_OF_ROLE) +
          cells([...texts, `${((100 * all) / cpuSeconds).toFixed(1)} %`])
        );
      }),
      '',
    ];
  });
}

/** @param {Latency} latency */
const latencyText = ({ median, p99, max, answers }) =>
  `median ${median.toFixed(1)} ms, p99 ${p99.toFixed(1)} ms, max ${max.toFixed(0)} ms of ${answers}`;

/**
 * Returns the results as text. Ratios above 1 mean faster, or less processor time, than monerod.
 *
 * @param {RecordedChain} chain
 * @param {readonly SyncResult[]} results
 */
export function formatTable(chain, results) {
  const baseline = results.find((result) => result.name === 'monerod');
  const { heavy } = chain;
  const answers = results.flatMap(({ name, latency, longestStall }) => {
    if (latency === undefined) return [];
    const stall = longestStall === undefined ? '' : `; longest event-loop stall ${longestStall} ms`;
    const heavyOnes = latency.heavy
      ? [''.padEnd(NAME) + latencyText(latency.heavy) + ' while blocks were heavy']
      : [];
    return [name.padEnd(NAME) + latencyText(latency.whole) + stall, ...heavyOnes];
  });
  return [
    `chain of ${chain.height} blocks and ${chain.transactions} transactions; blocks ${heavy.from} to ` +
      `${heavy.to} have ${heavy.fewestPerBlock} to ${heavy.mostPerBlock} each`,
    '',
    ...lines('whole chain', 'whole', results, baseline),
    '',
    ...lines('heavy blocks', 'heavy', results, baseline),
    '',
    ...threadLines('heavy blocks', 'heavy', results),
    '/get_info every 50 ms meanwhile',
    ...answers,
    '',
    'database',
    ...results.map(({ name, databaseBytes }) => {
      const ratio =
        baseline && name !== 'monerod'
          ? `, ${(databaseBytes / baseline.databaseBytes).toFixed(2)} of monerod`
          : '';
      return `${name.padEnd(NAME)}${(databaseBytes / 2 ** 20).toFixed(1)} MiB${ratio}`;
    }),
  ].join('\n');
}
