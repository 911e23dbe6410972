import { readFileSync } from 'node:fs';

const read = (path: string): string =>
  readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8');

test.each(['examples/jest/payments.test.mjs', 'examples/vitest/reorganization.test.mjs'])(
  'the guide has %s as it is run, in under 20 lines',
  (path) => {
    const file = read(path);
    expect(read('docs/reference/devnet.md')).toContain(`\`\`\`js\n${file}\`\`\``);
    expect(file.trimEnd().split('\n').length).toBeLessThan(20);
  },
);
