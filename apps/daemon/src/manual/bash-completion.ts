import type { OptionSpec } from '../cli/options/define-options.ts';
import { CONSOLE_COMMANDS } from '../console/help.ts';
import { valueKind, completedOptions } from './option-values.ts';

/** Returns the options of a kind as a pattern of bash's `case`. */
function pattern(specs: readonly OptionSpec[], kind: 'file' | 'folder' | 'other'): string {
  const names = specs.filter((spec) => valueKind(spec) === kind).map(({ name }) => `--${name}`);
  return names.join(' | ');
}

/**
 * Returns the beginning of a function of bash that completes the words of a program, up to the words that are no value of an
 * option. It completes the values of options, also for `--name=value`.
 *
 * @param folderPlaces words after which a folder is expected, besides options
 */
export function bashValues(
  name: string,
  specs: readonly OptionSpec[],
  folderPlaces: readonly string[] = [],
): string {
  const choices = specs.flatMap((spec) => {
    const words = valueKind(spec);
    if (typeof words === 'string') return [];
    return [`    --${spec.name}) words='${words.join(' ')}' ;;`];
  });
  return `${name}() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]} words=
  COMPREPLY=()
  # Bash splits --name=value into three words.
  if [[ $current == = ]]; then
    current=
  elif [[ $previous == = && COMP_CWORD -gt 1 ]]; then
    previous=\${COMP_WORDS[COMP_CWORD - 2]}
  fi
  case $previous in
    ${pattern(specs, 'file')})
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(compgen -f -- "$current")
      return
      ;;
    ${[...folderPlaces, pattern(specs, 'folder')].join(' | ')})
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(compgen -d -- "$current")
      return
      ;;
${choices.join('\n')}
    ${pattern(specs, 'other')})
      return
      ;;`;
}

/** Returns the completions for bash, which also work for `--name=value`. */
export function bashCompletion(): string {
  return `# Completions for bash, made by tools/generate-cli-files.mjs.
${bashValues('_monero_node', completedOptions())}
    *)
      if [[ $current == -* ]]; then
        words='${completedOptions()
          .map(({ name }) => `--${name}`)
          .join(' ')}'
      else
        words='${CONSOLE_COMMANDS.map(({ name }) => name).join(' ')}'
      fi
      ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}
complete -F _monero_node monero-node
`;
}
