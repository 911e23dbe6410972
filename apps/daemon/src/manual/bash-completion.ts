import { COMMANDS } from '../console/help.ts';
import { completedOptions, valueKind } from './option-values.ts';

/** Returns the options of a kind as a pattern of bash's `case`. */
function pattern(kind: 'file' | 'folder' | 'other'): string {
  return completedOptions()
    .filter((spec) => valueKind(spec) === kind)
    .map(({ name }) => `--${name}`)
    .join(' | ');
}

/** Returns the completions for bash, which also work for `--name=value`. */
export function bashCompletion(): string {
  const choices = completedOptions().flatMap((spec) => {
    const words = valueKind(spec);
    if (typeof words === 'string') return [];
    return [`    --${spec.name}) words='${words.join(' ')}' ;;`];
  });
  return `# Completions for bash, made by tools/generate-cli-files.mjs.
_monero_node() {
  local current=\${COMP_WORDS[COMP_CWORD]} previous=\${COMP_WORDS[COMP_CWORD - 1]} words
  COMPREPLY=()
  # Bash splits --name=value into three words.
  if [[ $current == = ]]; then
    current=
  elif [[ $previous == = && COMP_CWORD -gt 1 ]]; then
    previous=\${COMP_WORDS[COMP_CWORD - 2]}
  fi
  case $previous in
    ${pattern('file')})
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(compgen -f -- "$current")
      return
      ;;
    ${pattern('folder')})
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(compgen -d -- "$current")
      return
      ;;
${choices.join('\n')}
    ${pattern('other')})
      return
      ;;
    *)
      if [[ $current == -* ]]; then
        words='${completedOptions()
          .map(({ name }) => `--${name}`)
          .join(' ')}'
      else
        words='${COMMANDS.map(({ name }) => name).join(' ')}'
      fi
      ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}
complete -F _monero_node monero-node
`;
}
