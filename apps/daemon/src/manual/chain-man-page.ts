import { CHAIN_COMMANDS, type ChainCommand } from '../chain-tool/commands.ts';
import type { OptionSpec } from '../cli/options/define-options.ts';
import { EXIT_MEANINGS } from '../ending/exit-meanings.ts';
import { VERSION } from '../version.ts';
import { commandsWith, OWN_OPTIONS, SHARED_OPTIONS } from './chain-options.ts';
import { roff, roffItem } from './roff.ts';

const sentence = (text: string): string => `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;

const term = ({ name, kind, value = 'VALUE' }: OptionSpec): string =>
  `\\fB\\-\\-${roff(name)}\\fR${kind === 'switch' ? '' : ` \\fI${roff(value)}\\fR`}`;

const commandItem = ({ forms, help }: ChainCommand): string =>
  roffItem(forms.map((form) => `\\fB${roff(form)}\\fR`).join('\n.TQ\n'), sentence(help));

function ownItem(spec: OptionSpec): string {
  const commands = commandsWith(spec.name).join(', ');
  return roffItem(term(spec), `${sentence(spec.help)} With ${commands}.`);
}

/** Returns the man page of the chain tool in roff, with the macros of man(7). */
export function chainManPage(): string {
  return [
    `.\\" Made by tools/generate-cli-files.mjs.`,
    `.TH MONERO\\-NODE\\-CHAIN 1 "" "monero\\-node ${roff(VERSION)}" "User Commands"`,
    '.SH NAME',
    'monero\\-node\\-chain \\- imports, exports, copies and checks the chain of monero\\-node',
    '.SH SYNOPSIS',
    '.B monero\\-node\\-chain',
    '.I command',
    '.RI [ options ]',
    '.SH DESCRIPTION',
    roff(
      'Works on the chain in the data directory of monero-node. Except for backup, the daemon must not be running on the same data directory.',
    ),
    '.SH COMMANDS',
    ...CHAIN_COMMANDS.map(commandItem),
    '.SH OPTIONS',
    ...OWN_OPTIONS.map(ownItem),
    '.SH "OPTIONS OF THE DAEMON"',
    roff('All options of the daemon are accepted, and its config file is read. These matter here.'),
    ...SHARED_OPTIONS.map((spec) => roffItem(term(spec), sentence(spec.help))),
    '.SH "EXIT STATUS"',
    ...EXIT_MEANINGS.map(({ status, meaning }) => roffItem(String(status), meaning)),
    '.SH "SEE ALSO"',
    '.BR monero\\-node (1)',
    '',
  ].join('\n');
}
