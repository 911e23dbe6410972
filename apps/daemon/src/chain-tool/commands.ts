import { UsageError } from '../cli/usage-error.ts';
import { ownCommand } from '../installed/own-commands.ts';
import { TOOL_OPTIONS, type ToolOption } from './tool-options.ts';

/** A subcommand of the chain tool, for its help, its man page and the completions. */
export interface ChainCommand {
  readonly name: string;
  /** Forms of the command line, without the program and the options of the daemon. */
  readonly forms: readonly string[];
  readonly help: string;
  /** Options that only this command takes, besides those of the daemon. */
  readonly options: readonly ToolOption[];
}

/** The subcommands in the order in which they are shown. */
export const CHAIN_COMMANDS: readonly ChainCommand[] = [
  {
    name: 'import',
    forms: ['import --from-monerod DIR', 'import --input-file FILE'],
    help: "adds the blocks of monerod's own database, or of a bootstrap file (blockchain.raw), to the chain in --data-dir; blocks of the network's trusted list are compared with it and not verified again",
    options: [
      'from-monerod',
      'input-file',
      'verify',
      'block-stop',
      'batch-size',
      'dangerous-unverified-import',
    ],
  },
  {
    name: 'export',
    forms: ['export --to-monerod DIR', 'export --output-file FILE'],
    help: "writes the chain, unless it is pruned, into a new or empty folder for monerod's own monero-blockchain-import, and prints the command for it; or writes or continues a bootstrap file",
    options: ['to-monerod', 'output-file', 'block-start', 'block-stop'],
  },
  {
    name: 'block-hashes',
    forms: ['block-hashes --output-file FILE'],
    help: "writes a file for the daemon's option --block-hashes-file",
    options: ['output-file', 'block-stop'],
  },
  {
    name: 'backup',
    forms: ['backup [--digests] DIR'],
    help: 'copies the chain and the ledger of blocks found into a new or empty folder, which can then be used as data directory; the daemon may be running',
    options: ['digests'],
  },
  {
    name: 'seed',
    forms: ['seed --seed-from SOURCE [--seed-key-file FILE]'],
    help: 'copies the chain of another node, which may be running, or of a backup on a web server into a data directory without one, and verifies it; goes on where it was interrupted',
    options: [],
  },
  {
    name: 'info',
    forms: ['info [--json]'],
    help: 'prints height, counts, sizes and free pages of the chain',
    options: ['json'],
  },
  {
    name: 'verify',
    forms: ['verify [--restart]', 'verify --signatures [--pow] [--from N] [--to N] [--restart]'],
    help: 'checks all stored blocks and rows against each other, but no proof of work and no signatures; with --signatures, verifies these by the rules of each fork instead; goes on where it was interrupted',
    options: ['restart', 'signatures', 'pow', 'from', 'to'],
  },
  {
    name: 'compact',
    forms: ['compact'],
    help: 'replaces the database file by a copy without free pages',
    options: [],
  },
];

/** Returns whether a subcommand has this name. */
export function namesCommand(name: string): boolean {
  return CHAIN_COMMANDS.some((each) => each.name === name);
}

/** Throws UsageError when one of the options is for other subcommands than `name`. */
export function checkOptionsOf(name: string, own: ReadonlyMap<ToolOption, string>): void {
  const command = CHAIN_COMMANDS.find((each) => each.name === name);
  for (const option of own.keys()) {
    if (command?.options.includes(option) === true) continue;
    const others = CHAIN_COMMANDS.filter(({ options }) => options.includes(option));
    const names = others.map((each) => each.name).join(', ');
    throw new UsageError(`'${name}' does not take --${option}; it is an option of ${names}`);
  }
}

/** Returns the placeholder of an option's value, undefined for a switch, and its help. */
export function toolOption(name: ToolOption): { readonly value?: string; readonly help: string } {
  const text = TOOL_OPTIONS[name];
  const [, value, help = ''] = /^(\S+)? *(.*)$/.exec(text) ?? [];
  return text.startsWith(' ') || value === undefined ? { help: text.trim() } : { value, help };
}

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
