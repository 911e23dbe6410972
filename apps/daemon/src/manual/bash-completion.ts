import { COMMANDS } from '../console/help.ts';
import { bashValues } from './bash-values.ts';
import { completedOptions } from './option-values.ts';

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
        words='${COMMANDS.map(({ name }) => name).join(' ')}'
      fi
      ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}
complete -F _monero_node monero-node
`;
}
