// `npm run bench`: our crypto backends against monerod's own C++ (performance_tests of Debian's
// package monero-tests), on one thread, in one run. Prints a table with ratios and writes JSON.
//
//   npm run bench [-- --out FILE] [-- --only NAME]
import { writeFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { parseArgs } from 'node:util';
import '../setup.mjs';
import { measure } from './measure.mjs';
import { monerodMicroseconds } from './monero-tests.mjs';

const { values } = parseArgs({
  options: { out: { type: 'string', default: 'bench.json' }, only: { type: 'string' } },
});

const { backends } = await import('./backends.mjs');
const { cases } = await import('./cases.mjs');

const rows = [];
for (const bench of cases) {
  if (values.only !== undefined && !bench.name.includes(values.only)) continue;
  const theirs = monerodMicroseconds(bench.baseline);
  for (const backend of backends) {
    const ours = measure(() => bench.run(backend)) / bench.units;
    rows.push({
      case: bench.name,
      backend: backend.name,
      ours,
      theirs,
      ratio: theirs && theirs / ours,
    });
  }
}

const figure = (value) => (value === undefined ? '–' : value.toFixed(value < 10 ? 2 : 0));
console.log(`\n${cpus()[0]?.model ?? 'unknown CPU'}, Node ${process.version}, one thread, µs each`);
console.log(
  `${'case'.padEnd(34)}${'backend'.padEnd(12)}${'ours'.padStart(10)}${'monerod'.padStart(10)}${'ratio'.padStart(8)}`,
);
for (const row of rows) {
  console.log(
    row.case.padEnd(34) +
      row.backend.padEnd(12) +
      figure(row.ours).padStart(10) +
      figure(row.theirs).padStart(10) +
      (row.ratio === undefined ? '–' : `${row.ratio.toFixed(2)}x`).padStart(8),
  );
}
console.log(
  '\nratio: how many times faster than monerod; – : package monero-tests is not installed',
);
writeFileSync(values.out, `${JSON.stringify({ date: new Date().toISOString(), rows }, null, 2)}\n`);
