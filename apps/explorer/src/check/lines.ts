/** Both sides as text, so that they can be compared as sets and differences can be printed. */
export interface Facts {
  readonly blocks: string[];
  readonly transactions: string[];
  readonly outputs: string[];
  readonly keyImages: string[];
  readonly pool: string[];
}

export type LineValue = number | bigint | string | null;

/** Returns an empty set of facts. */
export function noFacts(): Facts {
  return { blocks: [], transactions: [], outputs: [], keyImages: [], pool: [] };
}

/** Returns one line of named values. */
export function line(parts: Readonly<Record<string, LineValue>>): string {
  return Object.entries(parts)
    .map(([name, value]) => `${name}=${value}`)
    .join(' ');
}

/** Returns the lines that one side has and the other lacks, with a sign in front. */
export function differences(tables: Facts, node: Facts): string[] {
  return (Object.keys(tables) as (keyof Facts)[]).flatMap((kind) => {
    const [here, there] = [tables[kind], node[kind]];
    const [hereSet, thereSet] = [new Set(here), new Set(there)];
    return [
      ...here.filter((each) => !thereSet.has(each)).map((each) => `tables only: ${kind}: ${each}`),
      ...there.filter((each) => !hereSet.has(each)).map((each) => `node only: ${kind}: ${each}`),
      ...(here.length === there.length || hereSet.size !== here.length
        ? []
        : [`${kind}: ${here.length} in the tables, ${there.length} at the node`]),
    ];
  });
}
