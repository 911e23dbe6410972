import { CONSOLE_COMMANDS } from '../console/help.ts';
import { EXIT_MEANINGS } from '../ending/exit-meanings.ts';
import { VERSION } from '../version.ts';
import { OPTIONS } from '../cli/options/options.ts';
import type { OptionSpec } from '../cli/options/define-options.ts';
import { roff, roffItem as item } from './roff.ts';

function optionItem(spec: OptionSpec): string {
  const value = spec.kind === 'switch' ? '' : ` \\fI${roff(spec.value ?? 'VALUE')}\\fR`;
  const reason = spec.reason === undefined ? '' : `: ${spec.reason}`;
  const notes = [
    spec.default === undefined ? '' : `Default: ${spec.default}.`,
    spec.kind === 'list' ? 'Can be repeated.' : '',
    spec.support === 'refused' ? `Not available${reason}.` : '',
    spec.support === 'ignored' ? `No effect${reason}.` : '',
  ];
  const text = [`${spec.help}.`, ...notes].filter((part) => part !== '').join(' ');
  return item(`\\fB\\-\\-${roff(spec.name)}\\fR${value}`, text);
}

/** Returns the man page of the daemon in roff, with the macros of man(7). */
export function manPage(): string {
  const isCommand = ({ group }: OptionSpec): boolean => group === 'command';
  return [
    `.\\" Made by tools/generate-cli-files.mjs.`,
    `.TH MONERO\\-NODE 1 "" "monero\\-node ${roff(VERSION)}" "User Commands"`,
    '.SH NAME',
    'monero\\-node \\- a Monero full node',
    '.SH SYNOPSIS',
    '.B monero\\-node',
    '.RI [ options ]',
    '.br',
    '.B monero\\-node',
    '.RI [ options ]',
    '.I command',
    '.RI [ argument ...]',
    '.SH DESCRIPTION',
    roff(
      'Downloads the chain from other nodes, verifies every block and serves wallets and other nodes.',
    ),
    roff(
      'With a command it asks the daemon that already runs, at the RPC port and with the login of the options.',
    ),
    '.SH OPTIONS',
    ...OPTIONS.filter(isCommand).map(optionItem),
    '.SH SETTINGS',
    roff('These options are also allowed in the config file, as name=value.'),
    ...OPTIONS.filter((spec) => !isCommand(spec)).map(optionItem),
    '.SH COMMANDS',
    ...CONSOLE_COMMANDS.map(({ name, parameters, help }) =>
      item(`\\fB${roff(name)}\\fR${parameters === undefined ? '' : ` ${roff(parameters)}`}`, help),
    ),
    '.SH SIGNALS',
    item(
      'SIGTERM, SIGINT',
      'Stop. A second signal, more than a second later, ends the process at once.',
    ),
    item('SIGUSR1', 'Open the log file anew.'),
    item(
      'SIGHUP',
      'With --non-interactive or --detach: open the log file anew and take over what has changed in the config file. Otherwise stop.',
    ),
    '.SH "EXIT STATUS"',
    ...EXIT_MEANINGS.map(({ status, meaning }) => item(String(status), meaning)),
    '.SH ENVIRONMENT',
    item('RPC_LOGIN', 'The login of --rpc-login, when neither it nor --rpc-login-file is given.'),
    item('MONERO_LOGS', 'The value of --log-level when that is not given.'),
    item(
      'NOTIFY_SOCKET, WATCHDOG_USEC, WATCHDOG_PID',
      'Set by a service manager: see sd_notify(3).',
    ),
    '.SH FILES',
    item('<data-dir>/bitmonero.conf', 'The config file.'),
    item('<data-dir>/bitmonero.log', 'The log.'),
    item('<data-dir>/chain', 'The chain.'),
    '.SH "SEE ALSO"',
    '.BR monero\\-node\\-chain (1),',
    '.BR systemd.service (5)',
    '',
  ].join('\n');
}
