// Writes apps/daemon/src/cli/monerod-options.ts from the --help of a monerod.
//
//   node tools/record-monerod-options.mjs PATH-OF-MONEROD
//
// Suite 41 compares the file with the programs that are installed.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { homedir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const [program] = process.argv.slice(2);
if (program === undefined) {
  console.error('usage: node tools/record-monerod-options.mjs PATH-OF-MONEROD');
  process.exit(1);
}
const text = execFileSync(program, ['--help'], { encoding: 'utf8' });
const [, release = ''] = /\(v([\d.]+)/.exec(text) ?? [];

/** Options start a line after two spaces: name, `arg` unless it is a switch, default in `(=…)`. */
const LINE = /^ {2}--(?<name>[\w-]+)(?<argument> arg)?(?: \(=(?<preset>.*?)\)(?= {2}|$))?/gm;
const quoted = (value) => `'${value.replaceAll("'", "\\'")}'`;
const rows = [...text.matchAll(LINE)].map(({ groups: { name, argument, preset } }) => {
  const fields = [`name: ${quoted(name)}`, `hasValue: ${argument !== undefined}`];
  // Defaults that depend on the user are written with `~`.
  if (preset !== undefined) fields.push(`default: ${quoted(preset.replaceAll(homedir(), '~'))}`);
  return `  { ${fields.join(', ')} },`;
});

const file = join(
  dirname(dirname(fileURLToPath(import.meta.url))),
  'apps/daemon/src/cli/monerod-options.ts',
);
writeFileSync(
  file,
  `/** An option of monerod, as its --help shows it. */
export interface MonerodOption {
  readonly name: string;
  /** Whether a value follows; otherwise it is a switch. */
  readonly hasValue: boolean;
  readonly default?: string;
}

/** The release that the options are recorded from. */
export const RECORDED_RELEASE = '${release}';

/** The options of monerod in its order, recorded by tools/record-monerod-options.mjs. */
export const MONEROD_OPTIONS: readonly MonerodOption[] = [
${rows.join('\n')}
];
`,
);
console.log(`wrote ${rows.length} options of ${release}`);
