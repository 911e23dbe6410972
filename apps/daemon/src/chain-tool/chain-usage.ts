import { ownCommand } from '../installed/own-commands.ts';
import { CHAIN_COMMANDS } from './commands.ts';
import { TOOL_OPTIONS } from './tool-options.ts';

/** Columns of the help text, and those before the help of a command. */
const WIDTH = 118;
const INDENT = 16;

/** Returns a text in lines that begin after `INDENT` columns, the first of them with `head`. */
function wrapped(head: string, text: string): string {
  const lines: string[] = [];
  let line = `  ${head}`.padEnd(INDENT);
  for (const word of text.split(' ')) {
    if (line.length + word.length > WIDTH && line.trim() !== '') {
      lines.push(line.trimEnd());
      line = ' '.repeat(INDENT);
    }
    line += `${word} `;
  }
  return [...lines, line.trimEnd()].join('\n');
}

/**
 * Returns the help text of the chain tool.
 * @param command that starts the tool
 */
export function chainUsage(command = ownCommand('monero-node-chain')): string {
  const forms = CHAIN_COMMANDS.flatMap((command) => command.forms);
  return `${forms.map((form, i) => `${i === 0 ? 'Usage:' : '      '} ${command} ${form} [options]`).join('\n')}

${CHAIN_COMMANDS.map(({ name, help }) => wrapped(name, help)).join('\n')}

Except for backup, the daemon must not be running on the same data directory. Options, in addition to the daemon's
(--data-dir, --testnet, --stagenet, --regtest, --db-sync-mode, ...):
${Object.entries(TOOL_OPTIONS)
  .map(([name, help]) => `  --${name} ${help}`)
  .join('\n')}
  --help         print this
  --version      print the version
`;
}
