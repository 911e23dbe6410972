type Dark = readonly (readonly boolean[])[];

/** Runs that a reader could take for a finder pattern, with light on one side. */
const LIKE_FINDER = ['10111010000', '00001011101'];

/** Returns the symbol in which a reader finds its way best. Source: ISO/IEC 18004, 7.8.3. */
export function leastConspicuous(symbols: readonly Dark[]): Dark | undefined {
  const penalties = symbols.map(penaltyOf);
  return symbols[penalties.indexOf(Math.min(...penalties))];
}

function penaltyOf(symbol: Dark): number {
  const rows = symbol.map(asText);
  const columns = symbol.map((_, x) => asText(symbol.map((row) => row[x] ?? false)));
  const lines = [...rows, ...columns];
  const runs = lines.reduce((sum, line) => sum + runPenalty(line), 0);
  const finders = lines.reduce((sum, line) => sum + 40 * findersIn(line), 0);
  return runs + finders + 3 * squaresIn(symbol) + balancePenalty(rows.join(''));
}

const asText = (modules: readonly boolean[]): string =>
  modules.map((isDark) => (isDark ? '1' : '0')).join('');

/** Five of a kind in a line cost 3, each further one 1. */
function runPenalty(line: string): number {
  const runs = line.match(/0{5,}|1{5,}/g) ?? [];
  return runs.reduce((sum, { length }) => sum + length - 2, 0);
}

function findersIn(line: string): number {
  let count = 0;
  for (let i = 0; i + 11 <= line.length; i++) {
    if (LIKE_FINDER.includes(line.slice(i, i + 11))) count++;
  }
  return count;
}

/** Returns the number of squares of two by two of a kind. */
function squaresIn(symbol: Dark): number {
  let count = 0;
  for (const [y, row] of symbol.slice(1).entries()) {
    const above = symbol[y] ?? [];
    for (let x = 1; x < row.length; x++) {
      const kinds = new Set([row[x], row[x - 1], above[x], above[x - 1]]);
      if (kinds.size === 1) count++;
    }
  }
  return count;
}

/** Each 5 % by which dark modules are more or less than half cost 10. */
function balancePenalty(all: string): number {
  const dark = all.replaceAll('0', '').length;
  return 10 * Math.floor(Math.abs((100 * dark) / all.length - 50) / 5);
}
