import { MONEROD_OPTIONS, RECORDED_RELEASE, type MonerodOption } from '../cli/monerod-options.ts';
import type { DaemonOption } from '../cli/options/define-options.ts';
import { OPTION_TOPICS, optionNamed } from '../cli/options/options.ts';

/** Suites of the daemon as it is run, and those in a browser, by number; the others compare with monerod. */
const SYSTEM_SUITES = /^(?:13|24|26|28|3[3-8]|40|4[2-4]|48|49|5[0-3]|57)-/;
const BROWSER_SUITES = /^(?:23|39|46|47)-/;

function suiteFolder(name: string): string {
  if (SYSTEM_SUITES.test(name)) return 'system';
  return BROWSER_SUITES.test(name) ? 'browser' : 'conformance';
}

/** Returns the path of a suite (`25-pruned-node`) or a spec (`p2p/node.peers`), from the root of the repository. */
export function testPath(name: string): string {
  const [folder = '', ...rest] = name.split('/');
  if (rest.length === 0) return `apps/daemon-e2e/src/${suiteFolder(name)}/${name}.e2e.ts`;
  const home = folder === 'daemon' ? 'apps/daemon' : `packages/${folder}`;
  return `${home}/src/${rest.join('/')}.spec.ts`;
}

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;');
const code = (text: string | undefined): string =>
  text === undefined ? '' : `\`${text.replaceAll('|', '\\|')}\``;

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const lines = [head, head.map(() => '---'), ...rows].map((row) => `| ${row.join(' | ')} |`);
  return `<!-- prettier-ignore-start -->\n${lines.join('\n')}\n<!-- prettier-ignore-end -->`;
}

/** Returns how the daemon treats an option of monerod, in words. */
function treatment({ support, reason, note }: DaemonOption): string {
  if (support === 'refused') return `refused: ${cell(reason ?? note ?? '')}`;
  if (support === 'ignored') return `accepted, no effect: ${cell(note ?? reason ?? '')}`;
  return note === undefined ? 'works' : `works: ${cell(note)}`;
}

function defaultCell({ default: theirs }: MonerodOption, ours: DaemonOption): string {
  if (ours.support !== 'works' || ours.default === theirs)
    return theirs === undefined ? '' : code(theirs);
  return [code(ours.default), cell(ours.defaultNote ?? '')].filter(Boolean).join(': ');
}

function monerodRow(option: MonerodOption): string[] {
  const { name, hasValue } = option;
  const ours = optionNamed(name);
  if (ours === undefined) throw new Error(`no row for --${name} of monerod`);
  const value = hasValue ? ` ${ours.value ?? 'N'}` : '';
  const { shownBy } = ours;
  const test = shownBy === undefined ? '' : `[${shownBy}](../../${testPath(shownBy)})`;
  return [code(`--${name}${value}`), defaultCell(option, ours), treatment(ours), test];
}

function ownRow({ name, kind, value = 'N', default: preset, help }: DaemonOption): string[] {
  const shown = kind === 'switch' ? '' : ` ${value}`;
  return [code(`--${name}${shown}`), code(preset), cell(help)];
}

const LEGEND = [
  '**Default**: of this daemon. A reason follows where monerod shows another one.',
  '**works**: as in monerod; differences follow the colon.',
  '**accepted, no effect**: existing start scripts and config files keep working. The log names the option, unless ignoring it is what it asks for.',
  '**refused**: the daemon does not start, because ignoring the option would change what you asked for.',
  '**Shown by**: the test of the effect.',
];

/** Returns docs/reference/options.md: the options of monerod and how they work here, and the options that only this daemon has. */
export function optionDocument(): string {
  const theirs = new Set(MONEROD_OPTIONS.map(({ name }) => name));
  const own = OPTION_TOPICS.map(({ title, options }) => ({
    title,
    rows: options.filter(({ name }) => !theirs.has(name)).map(ownRow),
  })).filter(({ rows }) => rows.length > 0);
  return `${[
    '# Options',
    'Generated from the tables in `apps/daemon/src/cli/options/` by `node tools/generate-cli-files.mjs`; edit these, not this file.',
    `## Options of monerod`,
    `Every option of monerod ${RECORDED_RELEASE}, in the order of its \`--help\`. Suite \`41-options-of-monerod\` compares the list with the programs that are installed and starts the daemon with every option.`,
    LEGEND.map((line) => `- ${line}`).join('\n'),
    table(['Option', 'Default', 'Here', 'Shown by'], MONEROD_OPTIONS.map(monerodRow)),
    '## Options that only this daemon has',
    'Some belong to other releases of monerod and are accepted without effect.',
    ...own.flatMap(({ title, rows }) => [
      `### ${title}`,
      table(['Option', 'Default', 'Use'], rows),
    ]),
  ].join('\n\n')}\n`;
}
