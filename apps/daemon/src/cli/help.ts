import { OPTIONS } from './options.ts';
import type { OptionSpec } from './option-types.ts';

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

/** Returns the text of --help; `version` is its first line. */
export function helpText(version: string): string {
  const of = (group: OptionSpec['group']) =>
    OPTIONS.filter((spec) => spec.group === group).map(line);
  return [
    version,
    '',
    'Usage: monero-node [options]',
    '',
    'General options:',
    ...of('command'),
    '',
    'Settings (also allowed in the config file, as name=value):',
    ...of('settings'),
    '',
  ].join('\n');
}
