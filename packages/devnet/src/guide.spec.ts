import { readFileSync } from 'node:fs';

const read = (path: string): string =>
  readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

test.each([
  ['docs/reference/devnet.md', 'examples/jest/payments.test.mjs', 20],
  ['docs/reference/devnet.md', 'examples/vitest/reorganization.test.mjs', 20],
  ['docs/guides/test-with-devnet.md', 'examples/vitest/shop.test.mjs', 30],
])('%s has %s as it is run, in under %d lines', (page, path, lines) => {
  const file = read(path);
  expect(read(page)).toContain(`\`\`\`js\n${file}\`\`\``);
  expect(file.trimEnd().split('\n').length).toBeLessThan(lines);
});
