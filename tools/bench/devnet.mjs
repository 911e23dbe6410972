// Measures what tests with @monero-node/devnet wait for, each in a process of its own, the best and the median of some runs.
//
//   npm run bench -- devnet [--runs 5] [--nodes 20] [--blocks 100] [--out FILE]
//
// First block: from the call of startNode, after the import, until a block is mined. Memory is that of the whole process.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { warnWhenBusy } from './busy.mjs';

const PROGRAM = fileURLToPath(new URL('devnet/measure.mjs', import.meta.url));

const ROWS = [
  ['import', 'import of the package, ms'],
  ['start', 'startNode, ms'],
  ['firstBlock', 'first block after the call, ms'],
  ['blocks', 'N blocks, ms'],
  ['residentOne', 'memory with one node, MiB'],
  ['nodes', 'M linked nodes, ms'],
  ['inStep', 'a block in all of them, ms'],
  ['residentAll', 'memory with all nodes, MiB'],
  ['stop', 'stop of all, ms'],
  ['handles', 'handles left'],
];

const median = (numbers) => numbers.toSorted((a, b) => a - b)[Math.floor(numbers.length / 2)];

/** Runs the benchmark and prints its table. */
export function devnet(args) {
  const { values } = parseArgs({
    args,
    options: {
      runs: { type: 'string', default: '5' },
      nodes: { type: 'string', default: '20' },
      blocks: { type: 'string', default: '100' },
      out: { type: 'string' },
    },
  });
  const { nodes, blocks } = values;
  const runs = Array.from({ length: Number(values.runs) }, () =>
    JSON.parse(execFileSync(process.execPath, [PROGRAM, nodes, blocks], { encoding: 'utf8' })),
  );
  console.log(`${''.padEnd(34)}${'best'.padStart(8)}${'median'.padStart(8)}`);
  for (const [key, label] of ROWS) {
    const figures = runs.map((each) => each[key]);
    const shown = label.replace(/^N /, `${blocks} `).replace(/^M /, `${nodes} `);
    const cells = [Math.min(...figures), median(figures)].map((figure) => figure.toFixed(0));
    console.log(shown.padEnd(34) + cells.map((cell) => cell.padStart(8)).join(''));
  }
  if (values.out !== undefined) writeFileSync(values.out, `${JSON.stringify(runs, null, 2)}\n`);
  warnWhenBusy();
}
