import type { OptionSpec } from './options/define-options.ts';
import { OPTION_TOPICS, OPTIONS, optionNamed, type OptionName } from './options/options.ts';
import { UsageError } from './usage-error.ts';

const COLUMN = 44;

function line(spec: OptionSpec): string {
  const value = spec.kind === 'switch' ? '' : ` ${spec.value ?? 'VALUE'}`;
  const left = `  --${spec.name}${value}`;
  const reason = spec.reason === undefined ? '' : `: ${spec.reason}`;
  const notes = [
    spec.default === undefined ? '' : ` (default: ${spec.default})`,
    spec.kind === 'list' ? ' (can be repeated)' : '',
    spec.support === 'refused' ? ` [not available${reason || ' yet'}]` : '',
    spec.support === 'ignored' ? ` [no effect${reason}]` : '',
  ];
  const right = spec.help + notes.join('');
  return left.length < COLUMN
    ? left.padEnd(COLUMN) + right
    : `${left}\n${' '.repeat(COLUMN)}${right}`;
}

/** The options that most operators need. */
const IMPORTANT: readonly OptionName[] = [
  'data-dir',
  'config-file',
  'stagenet',
  'prune-blockchain',
  'proxy',
  'out-peers',
  'in-peers',
  'rpc-bind-port',
  'rpc-restricted-bind-port',
  'rpc-login',
  'start-mining',
  'log-level',
  'non-interactive',
  'detach',
];

const USAGE = [
  'Usage: monero-node [options]            runs a node',
  '       monero-node [options] COMMAND    sends a command to a running node, for example status',
  '       monero-node [options] doctor     checks a node and its machine, and says what to do',
];

/** Returns the text of `--help`; `version` is its first line. */
export function shortHelp(version: string): string {
  return [
    version,
    '',
    ...USAGE,
    '',
    'Important options:',
    ...IMPORTANT.flatMap((name) => optionNamed(name) ?? []).map(line),
    '',
    'More: --help TOPIC for the options of a topic, --help OPTION for one, --help-all for all.',
    'Topics:',
    ...OPTION_TOPICS.map(({ name, title }) => `  ${name.padEnd(12)}${title}`),
    '',
  ].join('\n');
}

/** Returns the text of `--help TOPIC`. Throws UsageError for anything but a topic or an option. */
export function topicHelp(name: string): string {
  const topic = OPTION_TOPICS.find((each) => each.name === name.toLowerCase());
  if (topic !== undefined) return `${topic.title}:\n${topic.options.map(line).join('\n')}\n`;
  const option = optionNamed(name.replace(/^--/, ''));
  if (option !== undefined) return `${line(option)}\n`;
  const topics = OPTION_TOPICS.map((each) => each.name).join(', ');
  throw new UsageError(`--help: no topic or option '${name}'; the topics are ${topics}`);
}

/** Returns the text of `--help-all`; `version` is its first line. */
export function fullHelp(version: string): string {
  const of = (group: OptionSpec['group']) =>
    OPTIONS.filter((spec) => spec.group === group).map(line);
  return [
    version,
    '',
    ...USAGE,
    '',
    'General options:',
    ...of('command'),
    '',
    'Settings (also allowed in the config file, as name=value):',
    ...of('settings'),
    '',
  ].join('\n');
}
