import { closest, distance } from 'fastest-levenshtein';
import { type Command, command, CommandSyntaxError, UnknownCommandError } from './command.ts';
import { BLOCK_COMMANDS } from './commands/chain.ts';
import { CONTROL_COMMANDS, MINING_COMMANDS } from './commands/control.ts';
import { PEER_COMMANDS } from './commands/peers.ts';
import { POOL_COMMANDS } from './commands/pool.ts';
import { STATE_COMMANDS } from './commands/state.ts';

/** Commands that belong together. */
export interface CommandTopic {
  readonly name: string;
  readonly title: string;
  readonly commands: readonly Command[];
}

/** Every command but those of the help. */
export const COMMAND_TOPICS: readonly CommandTopic[] = [
  { name: 'state', title: 'State of the node', commands: STATE_COMMANDS },
  { name: 'peers', title: 'Peers, bans and limits', commands: PEER_COMMANDS },
  { name: 'chain', title: 'Blocks and transactions', commands: BLOCK_COMMANDS },
  { name: 'pool', title: 'Transaction pool', commands: POOL_COMMANDS },
  { name: 'mining', title: 'Mining', commands: MINING_COMMANDS },
  { name: 'control', title: 'Control of the node', commands: CONTROL_COMMANDS },
];

const ID = '0'.repeat(63) + '1';

/** A line for each command with parameters, as it may be typed. */
export const EXAMPLES: Readonly<Record<string, string>> = {
  help: 'help peers',
  apropos: 'apropos pool',
  hard_fork_info: 'hard_fork_info 16',
  alt_chain_info: 'alt_chain_info >2',
  print_pl: 'print_pl white publicrpc 10',
  ban: 'ban 203.0.113.0/24 3600',
  unban: 'unban 203.0.113.7',
  top_clients: 'top_clients bytes',
  banned: 'banned 203.0.113.7',
  limit: 'limit 4096',
  limit_up: 'limit_up 2048',
  limit_down: 'limit_down 8192',
  out_peers: 'out_peers 24',
  in_peers: 'in_peers 100',
  print_bc: 'print_bc -5',
  print_block: 'print_block 3000000 +hex',
  print_tx: `print_tx ${ID} +json`,
  is_key_image_spent: `is_key_image_spent ${ID}`,
  output_histogram: 'output_histogram @1000000000000 3',
  print_coinbase_tx_sum: 'print_coinbase_tx_sum 3000000 720',
  bc_dyn_stats: 'bc_dyn_stats 720',
  flush_txpool: `flush_txpool ${ID}`,
  relay_tx: `relay_tx ${ID}`,
  start_mining: 'start_mining ADDRESS auto',
  mining_ledger: 'mining_ledger 5',
  set_log: 'set_log +net.http:INFO',
  pop_blocks: 'pop_blocks 10 keep-txs',
  prune_blockchain: 'prune_blockchain confirm',
  flush_cache: 'flush_cache bad-blocks',
  update: 'update check',
  set_bootstrap_daemon: 'set_bootstrap_daemon auto',
};

/** Width of the names in lists. */
const COLUMN = 26;
/** Letters of a name for each mistyped one. */
const LETTERS_PER_MISTAKE = 3;

const HELP_COMMANDS: readonly Command[] = [
  command('help [<topic>|<command>]', 'Show the commands, those of a topic, or one.', ([name]) =>
    Promise.resolve(name === undefined ? commandList() : helpFor(name)),
  ),
  command('apropos <keyword> [<keyword> ...]', 'Search the commands for keywords.', (keywords) =>
    Promise.resolve(apropos(keywords)),
  ),
];

const TOPICS: readonly CommandTopic[] = [
  ...COMMAND_TOPICS,
  { name: 'help', title: 'Help', commands: HELP_COMMANDS },
];

/** All commands, sorted by name. */
export const CONSOLE_COMMANDS: readonly Command[] = TOPICS.flatMap(({ commands }) => commands).sort(
  (a, b) => (a.name < b.name ? -1 : 1),
);

/** The topics that `help` explains. */
export const TOPIC_NAMES: readonly string[] = COMMAND_TOPICS.map(({ name }) => name);

/** Returns the command with this name. Throws UnknownCommandError when there is none. */
export function commandNamed(name: string): Command {
  const found = CONSOLE_COMMANDS.find((known) => known.name === name);
  if (found === undefined) throw unknown(name);
  return found;
}

function unknown(name: string): UnknownCommandError {
  const near = closest(
    name,
    CONSOLE_COMMANDS.map((known) => known.name),
  );
  const isNear = distance(name, near) <= name.length / LETTERS_PER_MISTAKE;
  return new UnknownCommandError(name, isNear ? near : undefined);
}

/** Returns a command with its parameters. */
function usageOf({ name, parameters }: Command): string {
  return parameters === undefined ? name : `${name} ${parameters}`;
}

function commandList(): string {
  const lines = TOPICS.flatMap(({ title, commands }) => [
    '',
    `${title}:`,
    ...commands.map(({ name, help }) => `  ${name.padEnd(COLUMN)}${help}`),
  ]);
  const topics = `"help TOPIC" explains one of the topics ${TOPIC_NAMES.join(', ')}.`;
  return [`"help COMMAND" explains a command. ${topics}`, ...lines].join('\n');
}

function helpFor(name: string): string {
  const topic = COMMAND_TOPICS.find((each) => each.name === name);
  return topic === undefined ? helpForCommand(commandNamed(name)) : helpForTopic(topic);
}

function helpForTopic({ title, commands }: CommandTopic): string {
  const entries = commands.map((each) => `  ${usageOf(each)}\n      ${each.help}`);
  return [`${title}:`, ...entries].join('\n');
}

function helpForCommand(found: Command): string {
  return [
    'Command usage:',
    `  ${usageOf(found)}`,
    '',
    'Command description:',
    `  ${found.help}`,
    '',
    'Example:',
    `  ${EXAMPLES[found.name] ?? found.name}`,
  ].join('\n');
}

function apropos(keywords: readonly string[]): string {
  if (keywords.length === 0) throw new CommandSyntaxError('at least 1 parameter expected');
  const wanted = keywords.map((keyword) => keyword.toLowerCase());
  const found = CONSOLE_COMMANDS.filter((known) => {
    const text = `${usageOf(known)} ${known.help}`.toLowerCase();
    return wanted.every((keyword) => text.includes(keyword));
  });
  return found.map((known) => `  ${usageOf(known)}`).join('\n');
}
