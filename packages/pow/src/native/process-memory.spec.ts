import { readFileSync } from 'node:fs';
import { releaseUnusedMemory } from './process-memory.ts';

/** Returns the kilobytes of files that are in this process's memory. */
function filePages(): number {
  const status = readFileSync('/proc/self/status', 'latin1');
  return Number(/^RssFile:\s+(\d+)/m.exec(status)?.[1]);
}

const onLinux = process.platform === 'linux' ? test : test.skip;

onLinux('pages of the program are given back, and come again when they are needed', async () => {
  const before = filePages();
  await releaseUnusedMemory();
  expect(filePages()).toBeLessThan(before);
  // Parsing, compiling, regular expressions and dates use code and tables all over the program.
  const source = 'return [new Date(0).toISOString(), "ß".toUpperCase(), /\\p{Lu}/u.test("Ä")]';
  expect(new Function(source)()).toEqual(['1970-01-01T00:00:00.000Z', 'SS', true]);
});

test('calls at the same time do no harm', async () => {
  await Promise.all(Array.from({ length: 20 }, () => releaseUnusedMemory()));
  expect(JSON.parse('[1,2]')).toEqual([1, 2]);
});
