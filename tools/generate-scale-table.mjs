// Writes the table of docs/operating/scale.md from bench/results/scale.json, which holds figures of `npm run bench -- rpc`.
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import prettier from 'prettier';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { measured, machine, how, calls } = JSON.parse(
  readFileSync(join(root, 'bench/results/scale.json'), 'utf8'),
);
const rows = calls.map(({ call, perCpuSecond }) => {
  const cost = 1e6 / perCpuSecond;
  return `| ${call} | ${perCpuSecond.toLocaleString('en-US')} | ${Math.round(cost).toLocaleString('en-US')} |`;
});
const table = `Measured on ${measured}, ${machine}: \`${how}\`.

| Call | Requests per CPU second | CPU for one, µs |
| --- | ---: | ---: |
${rows.join('\n')}
`;

const file = join(root, 'docs/operating/scale.md');
const [BEGIN, END] = [
  '<!-- table: tools/generate-scale-table.mjs -->',
  '<!-- end of the table -->',
];
const text = readFileSync(file, 'utf8');
const [before, after] = [text.indexOf(BEGIN), text.indexOf(END)];
if (before < 0 || after < before) throw new Error(`${file} has no place for the table`);
const filled = `${text.slice(0, before + BEGIN.length)}\n\n${table}\n${text.slice(after)}`;
const options = await prettier.resolveConfig(file);
writeFileSync(file, await prettier.format(filled, { ...options, filepath: file }));
