const NAME = 12;
const WIDTH = 15;

const COLUMNS = [
  ['CPU', ({ cpuPercent }) => `${cpuPercent.toFixed(3)} %`],
  ['CPU s', ({ cpuSeconds }) => cpuSeconds.toFixed(2)],
  ['wake-ups/s', ({ wakeups }) => wakeups.toFixed(1)],
  ['resident', ({ resident }) => `${resident.toFixed(0)} MB`],
  ['anonymous', ({ anonymous }) => `${anonymous.toFixed(0)} MB`],
  ['of files', ({ files }) => `${files.toFixed(0)} MB`],
  ['peers', ({ connections }) => String(connections)],
];

const cells = (texts) => texts.map((text) => text.padStart(WIDTH)).join('');

/** Returns the results as text, one row for each node. */
export function idleTable(results, { peers, minutes }) {
  const threads = ({ wakeupsByThread }) =>
    Object.entries(wakeupsByThread)
      .map(([name, rate]) => `${name} ${rate.toFixed(1)}`)
      .join(', ');
  return [
    `idle for ${minutes} min with ${peers} peers and ${results[0].height} blocks`,
    ''.padEnd(NAME) + cells(COLUMNS.map(([label]) => label)),
    ...results.map(
      (result) => result.name.padEnd(NAME) + cells(COLUMNS.map(([, of]) => of(result))),
    ),
    ...results.map((result) => `wake-ups a second of ${result.name}: ${threads(result)}`),
  ].join('\n');
}

/** Returns one sentence for each limit that our node does not keep. */
export function idleProblems(results, { peers, 'max-cpu': cpu, 'max-resident': resident }) {
  const ours = results.find(({ name }) => name === 'ours');
  return [
    ...(ours.cpuPercent > cpu
      ? [`ours used ${ours.cpuPercent.toFixed(3)} % of a processor, more than ${cpu} %`]
      : []),
    ...(ours.resident > resident
      ? [`ours has ${ours.resident.toFixed(0)} MB in memory, more than ${resident} MB`]
      : []),
    ...results
      .filter(({ connections }) => connections < peers)
      .map(({ name, connections }) => `${name} has only ${connections} peers left`),
  ];
}
