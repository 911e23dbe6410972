import { toHex } from '@monero-node/codec/bytes';
import { median } from '@monero-node/consensus/median';
import type { ReplyOf } from '@monero-node/rpc-client';
import {
  command,
  CommandError,
  CommandSyntaxError,
  expectCount,
  hashText,
  naturalNumber,
  type CommandContext,
} from '../command.ts';
import { money, timestamp, wideInteger } from '../format.ts';

/** Number of headers requested at once, which restricted daemons allow too. */
const HEADERS_PER_CALL = 1000;
const PER_BYTE_FEE_VERSION = 8;

type Header = ReplyOf<'names', 'get_block_headers_range'>['headers'][number];

async function headers(from: number, to: number, { daemon }: CommandContext): Promise<Header[]> {
  const found: Header[] = [];
  for (let start = from; start <= to; start += HEADERS_PER_CALL) {
    const end = Math.min(to, start + HEADERS_PER_CALL - 1);
    const params = { start_height: start, end_height: end };
    found.push(...(await daemon.rpc('get_block_headers_range', params)).headers);
  }
  return found;
}

/** Returns the first and last height that the parameters select. */
async function rangeOf(
  args: readonly string[],
  { daemon }: CommandContext,
): Promise<[number, number]> {
  expectCount(args, 1, 2);
  const [first = '', last] = args;
  if (first.startsWith('-')) {
    const count = naturalNumber(first.slice(1), 'the number of blocks');
    const height = Number((await daemon.path('/get_height')).height);
    return [Math.max(0, height - count), height - 1];
  }
  const from = naturalNumber(first, 'the first height');
  const to = last === undefined ? from : naturalNumber(last, 'the last height');
  if (to < from) throw new CommandSyntaxError('the last height must not be below the first');
  return [from, to];
}

async function printChain(args: readonly string[], context: CommandContext): Promise<string> {
  const [from, to] = await rangeOf(args, context);
  const blocks = await headers(from, to, context);
  return blocks
    .map((header) =>
      [
        `height: ${header.height}, timestamp: ${header.timestamp} (${timestamp(Number(header.timestamp))}), ` +
          `size: ${header.block_size}, weight: ${header.block_weight} (long term ${header.long_term_weight}), ` +
          `transactions: ${header.num_txes}`,
        `major version: ${header.major_version}, minor version: ${header.minor_version}`,
        `block id: ${toHex(header.hash)}, previous block id: ${toHex(header.prev_hash)}`,
        `difficulty: ${wideInteger(header.wide_difficulty)}, nonce ${header.nonce}, reward ${money(header.reward)}`,
      ].join('\n'),
    )
    .join('\n\n');
}

async function printBlock(args: readonly string[], { daemon }: CommandContext): Promise<string> {
  const [which, ...options] = args;
  if (which === undefined) throw new CommandSyntaxError('at least 1 parameter expected');
  checkOptions(options, ['+hex']);
  const params = /^\d+$/.test(which)
    ? { height: naturalNumber(which, 'the height') }
    : { hash: hashText(which, 'the block hash') };
  const answer = await daemon.rpc('get_block', { ...params, fill_pow_hash: true });
  const header = answer.block_header;
  return [
    ...(options.includes('+hex') ? [toHex(answer.blob), ''] : []),
    `timestamp: ${header.timestamp} (${timestamp(Number(header.timestamp))})`,
    `previous hash: ${toHex(header.prev_hash)}`,
    `nonce: ${header.nonce}`,
    `is orphan: ${header.orphan_status ? 1 : 0}`,
    `height: ${header.height}`,
    `depth: ${header.depth}`,
    `hash: ${toHex(header.hash)}`,
    `difficulty: ${wideInteger(header.wide_difficulty)}`,
    `cumulative difficulty: ${wideInteger(header.wide_cumulative_difficulty)}`,
    `POW hash: ${header.pow_hash}`,
    `block size: ${header.block_size}`,
    `block weight: ${header.block_weight}`,
    `long term weight: ${header.long_term_weight}`,
    `num txes: ${header.num_txes}`,
    `reward: ${money(header.reward)}`,
    `miner tx hash: ${toHex(header.miner_tx_hash)}`,
    answer.json,
  ].join('\n');
}

function checkOptions(given: readonly string[], known: readonly string[]): void {
  const unknown = given.find((option) => !known.includes(option));
  if (unknown !== undefined) throw new CommandSyntaxError(`unexpected parameter: ${unknown}`);
}

async function printTransaction(
  args: readonly string[],
  { daemon }: CommandContext,
): Promise<string> {
  const [which, ...options] = args;
  if (which === undefined) throw new CommandSyntaxError('at least 1 parameter expected');
  checkOptions(options, ['+hex', '+json']);
  const hash = hashText(which, 'the transaction hash');
  const answer = await daemon.path('/get_transactions', {
    txs_hashes: [hash],
    decode_as_json: options.includes('+json'),
    split: true,
  });
  const [tx] = answer.txs;
  if (tx === undefined) throw new CommandError(`Transaction wasn't found: ${hash}`);
  const place = tx.in_pool ? 'Found in pool' : `Found in blockchain at height ${tx.block_height}`;
  const hex = toHex(tx.as_hex) || toHex(tx.pruned_as_hex) + toHex(tx.prunable_as_hex);
  return [
    place,
    ...(options.includes('+hex') ? [hex] : []),
    ...(options.includes('+json') ? [tx.as_json] : []),
  ].join('\n');
}

async function keyImageSpent(args: readonly string[], { daemon }: CommandContext): Promise<string> {
  expectCount(args, 1, 1);
  const image = hashText(args[0], 'the key image');
  const answer = await daemon.path('/is_key_image_spent', { key_images: [image] });
  const [status = 0] = answer.spent_status;
  return `${image}: ${status === 0 ? 'unspent' : 'spent'}${status === 2 ? ' (in pool)' : ''}`;
}

async function histogram(args: readonly string[], { daemon }: CommandContext): Promise<string> {
  const amounts = args
    .filter((word) => word.startsWith('@'))
    .map((word) => naturalNumber(word.slice(1), 'an amount'));
  const counts = args.filter((word) => !word.startsWith('@'));
  expectCount(counts, 0, 2);
  const [least = '3', most = '0'] = counts;
  const answer = await daemon.rpc('get_output_histogram', {
    amounts,
    min_count: naturalNumber(least, 'the least count'),
    max_count: naturalNumber(most, 'the largest count'),
    unlocked: false,
    recent_cutoff: 0,
  });
  return [...answer.histogram]
    .sort((a, b) => Number(b.total_instances) - Number(a.total_instances))
    .map((row) => `${row.total_instances}  ${money(row.amount)}`)
    .join('\n');
}

async function coinbaseSum(args: readonly string[], { daemon }: CommandContext): Promise<string> {
  expectCount(args, 1, 2);
  const [first, count = '0'] = args;
  const height = naturalNumber(first, 'the first height');
  const blocks = naturalNumber(count, 'the number of blocks');
  const answer = await daemon.rpc('get_coinbase_tx_sum', { height, count: blocks });
  const emission = wideInteger(answer.wide_emission_amount);
  const fees = wideInteger(answer.wide_fee_amount);
  return (
    `Sum of coinbase transactions between block heights [${height}, ${height + blocks}) is ` +
    `${money(emission + fees)} consisting of ${money(emission)} in emissions, and ${money(fees)} in fees`
  );
}

async function dynamicStats(args: readonly string[], context: CommandContext): Promise<string> {
  expectCount(args, 1, 1);
  const wanted = naturalNumber(args[0], 'the number of blocks');
  const { daemon } = context;
  const info = await daemon.path('/get_info');
  const fee = await daemon.rpc('get_fee_estimate');
  const fork = await daemon.rpc('hard_fork_info', { version: PER_BYTE_FEE_VERSION });
  const height = Number(info.height);
  const first =
    `Height: ${height}, diff ${wideInteger(info.wide_difficulty)}, ` +
    `cum. diff ${wideInteger(info.wide_cumulative_difficulty)}, target ${info.target} sec, ` +
    `dyn fee ${money(fee.fee)}/${fork.enabled ? 'byte' : 'kB'}`;
  const count = Math.min(wanted, height);
  if (count === 0) return first;
  return [first, ...summary(await headers(height - count, height - 1, context))].join('\n');
}

function summary(blocks: readonly Header[]): string[] {
  const count = blocks.length;
  const sum = (name: 'num_txes' | 'reward'): bigint =>
    blocks.reduce((all, block) => all + block[name], 0n);
  const difficulty = blocks.reduce((all, block) => all + wideInteger(block.wide_difficulty), 0n);
  const times = blocks.map((block) => Number(block.timestamp));
  const newest = times.reduce((a, b) => Math.max(a, b), 0);
  const oldest = times.reduce((a, b) => Math.min(a, b), Infinity);
  const average = Number((Number(sum('num_txes')) / count).toPrecision(6));
  return [
    `Last ${count}: avg. diff ${difficulty / BigInt(count)}, ` +
      `${Math.floor((newest - oldest) / count)} avg sec/block, avg num txes ${average}, ` +
      `avg. reward ${money(sum('reward') / BigInt(count))}, ` +
      `median block weight ${median(blocks.map((block) => Number(block.block_weight)))}`,
    `Block versions: ${tally(blocks, 'major_version')}`,
    `Voting for: ${tally(blocks, 'minor_version')}`,
  ];
}

/** Returns the number of blocks of each version as `5 v15, 7 v16`. */
function tally(blocks: readonly Header[], field: 'major_version' | 'minor_version'): string {
  const counts = new Map<number, number>();
  for (const block of blocks) {
    const version = block[field];
    counts.set(version, (counts.get(version) ?? 0) + 1);
  }
  return [...counts]
    .sort(([a], [b]) => a - b)
    .map(([version, count]) => `${count} v${version}`)
    .join(', ');
}

export const BLOCK_COMMANDS = [
  command(
    'print_bc <begin_height> [<end_height>]',
    'Print the blocks of a range of heights, or the last ones with -<count>.',
    printChain,
  ),
  command('print_block <block_hash>|<block_height> [+hex]', 'Print a given block.', printBlock),
  command(
    'print_tx <transaction_hash> [+hex] [+json]',
    'Print a given transaction.',
    printTransaction,
  ),
  command('is_key_image_spent <key_image>', 'Print whether a key image is spent.', keyImageSpent),
  command(
    'output_histogram [@<amount>] [<min_count>] [<max_count>]',
    'Print how many outputs there are of each amount.',
    histogram,
  ),
  command(
    'print_coinbase_tx_sum <start_height> [<block_count>]',
    'Print the sum of coinbase transactions.',
    coinbaseSum,
  ),
  command(
    'bc_dyn_stats <last_block_count>',
    'Print the current state of fees, weights and versions.',
    dynamicStats,
  ),
];
