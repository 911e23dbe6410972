import { CHAIN_COMMANDS, type ChainCommand } from '../chain-tool/commands.ts';
import type { OptionSpec } from '../cli/options/define-options.ts';
import { bashValues } from './bash-completion.ts';
import { OWN_OPTIONS, SHARED_OPTIONS, toolOptionSpec } from './chain-options.ts';
import { fishOption, fishQuoted } from './fish-completion.ts';
import { zshOption } from './zsh-completion.ts';

const PROGRAM = 'monero-node-chain';
const names = CHAIN_COMMANDS.map(({ name }) => name);

/** Returns every option of a command, those of the daemon included. */
const optionsOf = ({ options }: ChainCommand): OptionSpec[] => [
  ...options.map(toolOptionSpec),
  ...SHARED_OPTIONS,
];

const flags = (specs: readonly OptionSpec[]): string =>
  specs.map(({ name }) => `--${name}`).join(' ');

/** Returns the completions of the chain tool for bash. */
export function chainBash(): string {
  const cases = CHAIN_COMMANDS.map(
    (command) => `        ${command.name}) words='${flags(optionsOf(command))}' ;;`,
  );
  return `# Completions for bash, made by tools/generate-cli-files.mjs.
${bashValues('_monero_node_chain', [...OWN_OPTIONS, ...SHARED_OPTIONS], ['backup'])}
    *)
      if ((COMP_CWORD == 1)); then
        words='${names.join(' ')}'
      else
        case \${COMP_WORDS[1]} in
  ${cases.join('\n  ')}
        esac
      fi
      ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}
complete -F _monero_node_chain ${PROGRAM}
`;
}

/** Returns the completions of the chain tool for zsh. */
export function chainZsh(): string {
  const cases = CHAIN_COMMANDS.map((command) => {
    const place = command.name === 'backup' ? [`'2:folder:_files -/'`] : [];
    const parts = [...optionsOf(command).map(zshOption), ...place.map((text) => `  ${text}`)];
    return `  ${command.name}) _arguments '1: :' \\\n${parts.map((part) => `  ${part}`).join(' \\\n')} ;;`;
  });
  return `#compdef ${PROGRAM}
# Completions for zsh, made by tools/generate-cli-files.mjs.
if ((CURRENT == 2)); then
  compadd -- ${names.join(' ')}
  return
fi
case $words[2] in
${cases.join('\n')}
esac
`;
}

/** Returns the completions of the chain tool for fish. */
export function chainFish(): string {
  const commands = CHAIN_COMMANDS.map(
    ({ name, help }) =>
      `complete -c ${PROGRAM} -n __fish_use_subcommand -a ${name} -d ${fishQuoted(help)}`,
  );
  const own = CHAIN_COMMANDS.flatMap(({ name, options }) =>
    options.map((option) =>
      fishOption(PROGRAM, toolOptionSpec(option), `__fish_seen_subcommand_from ${name}`),
    ),
  );
  return [
    '# Completions for fish, made by tools/generate-cli-files.mjs.',
    `complete -c ${PROGRAM} -f`,
    ...commands,
    `complete -c ${PROGRAM} -n '__fish_seen_subcommand_from backup' -a '(__fish_complete_directories)'`,
    ...own,
    ...SHARED_OPTIONS.map((spec) => fishOption(PROGRAM, spec)),
    '',
  ].join('\n');
}
