import { CONSOLE_COMMANDS } from '../console/help.ts';
import type { OptionSpec } from '../cli/options/define-options.ts';
import { completedOptions, valueKind } from './option-values.ts';

/** Escapes a text for a description in brackets within single quotes. */
function quoted(text: string): string {
  return text.replace(/[\\[\]:]/g, (sign) => `\\${sign}`).replaceAll("'", "'\\''");
}

function valueOf(spec: OptionSpec): string {
  const kind = valueKind(spec);
  if (kind === 'none') return '';
  const name = quoted((spec.value ?? 'value').toLowerCase());
  if (kind === 'file') return `=:${name}:_files`;
  if (kind === 'folder') return `=:${name}:_files -/`;
  return kind === 'other' ? `=:${name}: ` : `=:${name}:(${kind.join(' ')})`;
}

/** Returns an argument of zsh's `_arguments` for an option, indented. */
export function zshOption(spec: OptionSpec): string {
  const value = valueOf(spec);
  const repeated = spec.kind === 'list' ? '*' : '';
  const equals = value === '' ? '' : '=';
  return `  '${repeated}--${spec.name}${equals}[${quoted(spec.help)}]${value.slice(1)}'`;
}

/** Returns the completions for zsh. */
export function zshCompletion(): string {
  return `#compdef monero-node
# Completions for zsh, made by tools/generate-cli-files.mjs.
_arguments \\
${completedOptions()
  .map((spec) => `${zshOption(spec)} \\\n`)
  .join('')}  '1::command:(${CONSOLE_COMMANDS.map(({ name }) => name).join(' ')})' \\
  '*:: :_default'
`;
}
