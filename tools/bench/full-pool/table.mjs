const MB = 1e6;

/** The figures of a daemon by row: the value, its digits and unit. */
function figuresOf({ admission, restart, memory, memoryAfter, calls, block, eviction, ...rest }) {
  const rows = [
    ['admission', admission.transactions / admission.seconds, 0, 'tx/s', 'more'],
    ['admission, CPU a transaction', (1000 * admission.cpu) / admission.transactions, 2, 'ms'],
    ['restart', restart.ms, 0, 'ms'],
    ['restart, CPU', restart.cpu, 0, 'ms'],
  ];
  for (const [name, { ms, cpu }] of Object.entries(calls)) {
    rows.push([name, ms, 2, 'ms'], [`${name}, CPU`, cpu, 2, 'ms']);
  }
  rows.push(
    ['block from the pool', block.submitted.ms, 1, 'ms'],
    ['block from the pool, CPU', block.submitted.cpu, 1, 'ms'],
    ['first template after it', block.next.ms, 1, 'ms'],
    ['first transaction above the limit', eviction.first, 1, 'ms'],
    ['each further one', eviction.each, 2, 'ms'],
    ['resident after the restart', memory.resident, 0, 'MB'],
    ['anonymous after the restart', memory.anonymous, 0, 'MB'],
    ['resident with RandomX, after the calls', memoryAfter.resident, 0, 'MB'],
    ['resident after the flood', admission.memory.resident, 0, 'MB'],
    ['grown by the flood', admission.memory.resident - admission.chainMemory.resident, 0, 'MB'],
    ['longest stall: flood', admission.stall, 0, 'ms'],
    ['longest stall: start', rest.startStall, 0, 'ms'],
    ['longest stall: calls', rest.callStall, 0, 'ms'],
    ['longest stall: block', rest.blockStall, 0, 'ms'],
    ['longest stall: eviction', eviction.stall, 0, 'ms'],
  );
  return rows;
}

/** Prints the figures side by side; the last column is how many times better the first daemon is. */
export function printTable(results, bytes) {
  const [first = [], second] = results.map(figuresOf);
  console.log(`| ${results.map(({ name }) => name).join(' | ')} |`);
  for (const [i, [name, value, digits, unit, better]] of first.entries()) {
    if (value === undefined) continue;
    const other = second?.[i]?.[1];
    const ratio = better === 'more' ? value / other : other / value;
    const cells = [value, other].map((each) =>
      each === undefined ? '–' : `${each.toFixed(digits)} ${unit}`,
    );
    console.log(
      `| ${[name, ...cells, other === undefined ? '–' : ratio.toFixed(2)].join(' | ')} |`,
    );
  }
  for (const { name, memory, admission } of results) {
    const times = (megabytes) => ((megabytes * MB) / bytes).toFixed(2);
    const grown = admission.memory.resident - admission.chainMemory.resident;
    console.log(
      `${name}: ${times(memory.resident)} times the transactions' bytes resident after a restart; the flood added ${times(grown)} times`,
    );
  }
}
