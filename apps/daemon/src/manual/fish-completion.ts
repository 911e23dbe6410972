import { COMMANDS } from '../console/help.ts';
import type { OptionSpec } from '../cli/option-types.ts';
import { completedOptions, valueKind } from './option-values.ts';

/** Escapes a text for single quotes. */
function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, (sign) => `\\${sign}`)}'`;
}

function valueOf(spec: OptionSpec): string {
  const kind = valueKind(spec);
  if (kind === 'none') return '';
  if (kind === 'file') return ' -r -F';
  if (kind === 'folder') return " -x -a '(__fish_complete_directories)'";
  return kind === 'other' ? ' -x' : ` -x -a ${quoted(kind.join(' '))}`;
}

/** Returns the completions for fish. */
export function fishCompletion(): string {
  const options = completedOptions().map(
    (spec) => `complete -c monero-node -l ${spec.name}${valueOf(spec)} -d ${quoted(spec.help)}`,
  );
  const commands = COMMANDS.map(
    ({ name, help }) =>
      `complete -c monero-node -n __fish_use_subcommand -a ${name} -d ${quoted(help)}`,
  );
  return [
    '# Completions for fish, made by tools/generate-cli-files.mjs.',
    'complete -c monero-node -f',
    ...options,
    ...commands,
    '',
  ].join('\n');
}
