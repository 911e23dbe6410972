import { CONSOLE_COMMANDS } from '../console/help.ts';
import type { OptionSpec } from '../cli/options/define-options.ts';
import { completedOptions, valueKind } from './option-values.ts';

/** Returns a text in single quotes for fish. */
export function fishQuoted(text: string): string {
  return `'${text.replace(/[\\']/g, (sign) => `\\${sign}`)}'`;
}

function valueOf(spec: OptionSpec): string {
  const kind = valueKind(spec);
  if (kind === 'none') return '';
  if (kind === 'file') return ' -r -F';
  if (kind === 'folder') return " -x -a '(__fish_complete_directories)'";
  return kind === 'other' ? ' -x' : ` -x -a ${fishQuoted(kind.join(' '))}`;
}

/** Returns the line of fish for an option. @param condition command of fish that must succeed; always when absent */
export function fishOption(program: string, spec: OptionSpec, condition?: string): string {
  const when = condition === undefined ? '' : ` -n ${fishQuoted(condition)}`;
  return `complete -c ${program}${when} -l ${spec.name}${valueOf(spec)} -d ${fishQuoted(spec.help)}`;
}

/** Returns the completions for fish. */
export function fishCompletion(): string {
  const options = completedOptions().map((spec) => fishOption('monero-node', spec));
  const commands = CONSOLE_COMMANDS.map(
    ({ name, help }) =>
      `complete -c monero-node -n __fish_use_subcommand -a ${name} -d ${fishQuoted(help)}`,
  );
  return [
    '# Completions for fish, made by tools/generate-cli-files.mjs.',
    'complete -c monero-node -f',
    ...options,
    ...commands,
    '',
  ].join('\n');
}
