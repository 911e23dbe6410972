import { readFileSync } from 'node:fs';
import { CATALOG } from './catalog.ts';
import { createInstruments } from './instruments.ts';
import type { MetricSpec } from './metric-spec.ts';

const groups = Object.entries(CATALOG) as [string, Record<string, MetricSpec>][];
const specs = groups.flatMap(([, group]) => Object.values(group));

/** Returns the rows of a Markdown table whose first cell is the name of a metric. */
function documentedRows(): string[][] {
  const file = new URL('../../../../docs/operating/monitoring.md', import.meta.url);
  return readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line.startsWith('| `monero_'))
    .map((line) =>
      line
        .split('|')
        .slice(1, -1)
        .map((cell) => cell.trim()),
    );
}

test('docs/operating/monitoring.md lists every metric with its type, labels and help text', () => {
  const rows = specs.map(({ name, kind, labels, help }) => [
    ...[`\`${name}\``, kind, labels.map((label) => `\`${label}\``).join(', '), help],
  ]);
  expect(documentedRows()).toEqual(rows);
});

test('names have the prefix, counters end in _total, and help texts are sentences', () => {
  for (const { name, kind, help } of specs) {
    expect(name).toMatch(/^monero_[a-z][a-z0-9_]*$/);
    expect([name, name.endsWith('_total')]).toEqual([name, kind === 'counter']);
    expect(help).toMatch(/^[A-Z0-9].*\.$/);
  }
  expect(new Set(specs.map(({ name }) => name)).size).toBe(specs.length);
});

test('every metric of the catalog is made', () => {
  const { registry } = createInstruments();
  expect(registry.getMetricsAsArray().map(({ name }) => name)).toEqual(
    specs.map(({ name }) => name),
  );
});
