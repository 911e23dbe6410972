// Attacks our node and monerod in every way that is known to hurt, one way after the other, and measures what
// innocent clients notice. See docs/internals/hostile.md.
//
//   npm run bench -- hostile [--seconds 20] [--only 3,14] [--nodes ours,monerod] [--chain DIR] [--out FILE] [--markdown]
//
// --only takes rows (3 stands for 3a to 3d too). The chain is recorded on the first run, which takes some minutes.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { availableParallelism, cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { warnWhenBusy } from './machine.mjs';
import { chooseAttacks } from './hostile/attacks/index.mjs';
import { defaultChainDir, openChain } from './hostile/chain.mjs';
import { measureAttack } from './hostile/measure.mjs';
import { formatRow, markdownTable, terminalTable } from './hostile/table.mjs';
import { misses } from './hostile/targets.mjs';
import { withPrograms } from './programs.mjs';

/**
 * @import { Attack } from './hostile/attack.d.ts'
 * @import { Figures, Skipped } from './hostile/measure.mjs'
 * @import { Start } from './programs.mjs'
 */
/**
 * An attack and its results; misses: the targets that our node missed.
 *
 * @typedef {Pick<Attack, 'id' | 'kind' | 'what'> & { maxBlockMs: number | undefined, ours: Figures | Skipped | undefined, monerod: Figures | Skipped | undefined, misses: string[] }} Row
 */
/**
 * @typedef {ReturnType<typeof readOptions>} Options
 */

/** @param {string[]} args */
function readOptions(args) {
  const { values } = parseArgs({
    args,
    options: {
      seconds: { type: 'string', default: '20' },
      only: { type: 'string', default: '' },
      nodes: { type: 'string', default: 'ours,monerod' },
      chain: { type: 'string', default: defaultChainDir() },
      out: { type: 'string' },
      markdown: { type: 'boolean', default: false },
    },
  });
  const seconds = Number(values.seconds);
  if (!(seconds > 0)) throw new Error('--seconds must be a positive number');
  return {
    ...values,
    seconds,
    attacks: chooseAttacks(values.only),
    nodes: values.nodes.split(',').map(nodeNamed),
  };
}

/**
 * Returns the name of a node. Throws Error when it is another one.
 *
 * @param {string} name
 */
function nodeNamed(name) {
  if (name !== 'ours' && name !== 'monerod') throw new Error('--nodes takes ours and monerod');
  return name;
}

/**
 * Returns why a node cannot be attacked that way, if so.
 *
 * @param {Attack} attack
 * @param {string} name of the node
 */
function reasonToSkip(attack, name) {
  if (name === 'monerod' && attack.kind === 'ws') return 'no WebSockets';
  if (name === 'monerod' && attack.kind === 'nats') return 'no NATS';
  if (name === 'monerod' && attack.only === 'ours') return attack.why;
  return undefined;
}

/**
 * @param {Start} start
 * @param {string} dir
 * @param {Options} options
 */
async function attackAll(start, dir, options) {
  const chain = await openChain(start, options.chain, (text) => console.log(text));
  /** @type {Row[]} */
  const rows = [];
  for (const attack of options.attacks) {
    const { id, kind, what, maxBlockMs, judge = () => [] } = attack;
    /** @type {Row} */
    const row = { id, kind, what, maxBlockMs, ours: undefined, monerod: undefined, misses: [] };
    for (const name of options.nodes) {
      const skipped = reasonToSkip(attack, name);
      const measured = { ours: name === 'ours', chain, chainDir: options.chain, dir };
      row[name] = skipped
        ? { skipped }
        : await measureAttack(start, attack, { ...measured, seconds: options.seconds });
    }
    const { ours } = row;
    if (ours && !('skipped' in ours)) {
      row.misses = [...judge(ours.counts, options.seconds), ...misses({ ...row, ours })];
    }
    rows.push(row);
    console.log(formatRow(row));
  }
  return rows;
}

/** @param {string[]} args */
export async function hostile(args) {
  const options = readOptions(args);
  const dir = mkdtempSync(join(tmpdir(), 'monero-node-hostile-'));
  try {
    const rows = await withPrograms((start) => attackAll(start, dir, options));
    const machine = `${cpus()[0]?.model ?? 'unknown CPU'}, ${availableParallelism()} processors, Node ${process.version}`;
    console.log(`\n${machine}, ${options.seconds} s for each attack\n\n${terminalTable(rows)}`);
    if (options.markdown) console.log(`\n${markdownTable(rows)}`);
    warnWhenBusy();
    if (options.out) {
      const report = { date: new Date().toISOString(), machine, seconds: options.seconds, rows };
      writeFileSync(options.out, `${JSON.stringify(report, null, 2)}\n`);
    }
    if (rows.some((row) => row.misses.length > 0)) process.exitCode = 1;
  } finally {
    rmSync(dir, { recursive: true, force: true });
  }
}
