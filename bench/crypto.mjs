// Our crypto backends against monerod's own C++ (performance_tests of Debian's package
// monero-tests) in one run: on one thread, then on all. Prints tables with ratios and writes JSON.
//
//   npm run bench [-- [crypto] [--backend NAME]... [--path NAME]... [--without NAME]... [--only TEXT]... [--out FILE]]
//
// Backends are reference, wasm, native-portable, native-avx2 and native-ifma. --path selects some of the paths
// of the native one: portable, avx2, ifma. --only selects the rows whose name contains one of the texts.
import { writeFileSync } from 'node:fs';
import { availableParallelism, cpus } from 'node:os';
import { parseArgs } from 'node:util';
import { warnWhenBusy } from './machine.mjs';
import { createPool, selectBackends } from './crypto/backends.mjs';
import { cases, poolCases } from './crypto/cases.mjs';
import { measure } from './crypto/measure.mjs';
import { MoneroTests } from './crypto/monero-tests.mjs';
import { oldCases } from './crypto/old-proofs.mjs';
import { formatTables } from './crypto/table.mjs';

/**
 * @import { VerificationPool } from '@monero-node/crypto'
 * @import { Case } from './crypto/cases.mjs'
 * @import { Time } from './crypto/measure.mjs'
 * @import { Baseline } from './crypto/monero-tests.mjs'
 */
/**
 * The figures of a case with a backend: microseconds for a unit, and how many times as fast as monerod it is.
 *
 * @typedef {Baseline & { case: string, backend: string, ours: Time, theirs: Time | undefined, ratio: number | undefined, bestRatio: number | undefined }} Row
 */

/**
 * Measures every case with every subject, which is a backend or a pool of threads that use it.
 *
 * @template Subject
 * @param {readonly Case<Subject>[]} list
 * @param {readonly { name: string, subject: Subject }[]} subjects
 * @param {MoneroTests} monerod
 */
async function measureAll(list, subjects, monerod) {
  /** @type {Row[]} */
  const rows = [];
  for (const { name, units, run, baseline } of list) {
    const theirs = await monerod.microseconds(baseline);
    for (const subject of subjects) {
      const time = await measure(() => run(subject.subject));
      const ours = { median: time.median / units, best: time.best / units };
      const ratio = theirs && theirs.median / ours.median;
      const bestRatio = theirs && theirs.best / ours.best;
      rows.push({ case: name, backend: subject.name, ours, theirs, ratio, bestRatio, ...baseline });
    }
  }
  return rows;
}

/**
 * @param {readonly Case<VerificationPool>[]} list
 * @param {readonly { name: string }[]} backends
 * @param {number} threads
 */
async function measureThreads(list, backends, threads) {
  const pools = backends.map(({ name }) => ({ name, subject: createPool(name, threads) }));
  try {
    return await measureAll(list, pools, new MoneroTests(threads));
  } finally {
    await Promise.all(pools.map(({ subject }) => subject.close()));
  }
}

/** @param {string[]} args */
export async function crypto(args) {
  const { values } = parseArgs({
    args,
    options: {
      backend: { type: 'string', multiple: true, default: [] },
      path: { type: 'string', multiple: true, default: [] },
      without: { type: 'string', multiple: true, default: [] },
      only: { type: 'string', multiple: true, default: [''] },
      out: { type: 'string', default: 'bench.json' },
    },
  });
  /**
   * @template {{ name: string }} Named
   * @param {readonly Named[]} list
   */
  const wanted = (list) =>
    list.filter(({ name }) => values.only.some((text) => name.includes(text)));
  const names = [...values.backend, ...values.path.map((path) => `native-${path}`)];
  const backends = selectBackends(names.length > 0 ? names : undefined).filter(
    ({ name }) => !values.without.includes(name),
  );
  const threads = availableParallelism();
  const machine = `${cpus()[0]?.model ?? 'unknown CPU'}, Node ${process.version}`;
  const subjects = backends.map(({ name, backend }) => ({ name, subject: backend }));

  const oneThread = await measureAll(wanted([...cases, ...oldCases]), subjects, new MoneroTests());
  const allThreads = threads > 1 ? await measureThreads(wanted(poolCases), backends, threads) : [];
  const tables = [
    { title: 'one thread', rows: oneThread },
    { title: `${threads} threads`, rows: allThreads },
  ];
  console.log(`\n${machine}\n\n${formatTables(tables)}`);
  warnWhenBusy();
  const result = { date: new Date().toISOString(), machine, threads, oneThread, allThreads };
  writeFileSync(values.out, `${JSON.stringify(result, null, 2)}\n`);
}
