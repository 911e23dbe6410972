import { toHex } from '@monero-node/codec/bytes';
import type { ReplyOf } from '@monero-node/rpc-client';
import { command, expectCount, hashText, type CommandContext } from '../command.ts';
import { clock, money, timeAgo } from '../format.ts';

const BLOCK_MINUTES = 2;

type PoolTransaction = ReplyOf<'paths', '/get_transaction_pool'>['transactions'][number];
type PoolStats = NonNullable<ReplyOf<'paths', '/get_transaction_pool_stats'>['pool_stats']>;
type FlagName = 'do_not_relay' | 'kept_by_block' | 'double_spend_seen';

/** Returns the lines about a pool transaction, without its contents. */
function facts(tx: PoolTransaction, now: number): string[] {
  const ago = (time: number): string => `${time} (${timeAgo(time, now)})`;
  const letter = (name: FlagName): string => (tx[name] ? 'T' : 'F');
  const weight = tx.weight || 1n;
  return [
    `blob_size: ${tx.blob_size}`,
    `weight: ${tx.weight}`,
    `fee: ${money(tx.fee)}`,
    `fee/byte: ${money(tx.fee / weight)}`,
    `receive_time: ${ago(Number(tx.receive_time))}`,
    `relayed: ${tx.relayed ? ago(Number(tx.last_relayed_time)) : 'no'}`,
    `do_not_relay: ${letter('do_not_relay')}`,
    `kept_by_block: ${letter('kept_by_block')}`,
    `double_spend_seen: ${letter('double_spend_seen')}`,
    `max_used_block_height: ${tx.max_used_block_height}`,
    `max_used_block_id: ${toHex(tx.max_used_block_id_hash)}`,
    `last_failed_height: ${tx.last_failed_height}`,
    `last_failed_id: ${toHex(tx.last_failed_id_hash)}`,
  ];
}

async function printPool(long: boolean, { daemon, now }: CommandContext): Promise<string> {
  const answer = await daemon.path('/get_transaction_pool');
  const transactions = answer.transactions;
  if (transactions.length === 0) return 'Pool is empty';
  const entries = transactions.map((tx) =>
    [`id: ${toHex(tx.id_hash)}`, ...(long ? [tx.tx_json] : []), ...facts(tx, now())].join('\n'),
  );
  if (!long) return entries.join('\n\n');
  const images = answer.spent_key_images.map(
    (image) => `key image: ${toHex(image.id_hash)}  tx: ${image.txs_hashes.map(toHex).join(' ')}`,
  );
  return ['Transactions:', entries.join('\n\n'), '', 'Spent key images:', ...images].join('\n');
}

async function poolStats({ daemon, now }: CommandContext): Promise<string> {
  const stats = (await daemon.path('/get_transaction_pool_stats')).pool_stats;
  const info = await daemon.path('/get_info');
  const count = Number(stats.txs_total);
  const bytes = Number(stats.bytes_total);
  const fees = stats.fee_total;
  const average = count === 0 ? 0 : Math.floor(bytes / count);
  const per = (total: bigint, parts: number): string =>
    money(parts === 0 ? 0n : total / BigInt(parts));
  const oldest = Number(stats.oldest);
  return [
    `${count} tx(es), ${bytes} bytes total (min ${stats.bytes_min}, max ${stats.bytes_max}, ` +
      `avg ${average}, median ${stats.bytes_med})`,
    `fees ${money(fees)} (avg ${per(fees, count)} per tx, ${per(fees, bytes)} per byte)`,
    `${stats.num_double_spends} double spends, ${stats.num_not_relayed} not relayed, ` +
      `${stats.num_failing} failing, ${stats.num_10m} older than 10 minutes ` +
      `(oldest ${oldest === 0 ? '-' : timeAgo(oldest, now())}), ${backlog(bytes, Number(info.block_weight_limit) / 2)}`,
    ...ages(stats, now()),
  ].join('\n');
}

function backlog(bytes: number, blockBytes: number): string {
  if (bytes <= blockBytes || blockBytes === 0) return 'no backlog';
  const blocks = Math.ceil(bytes / blockBytes);
  return `estimated ${blocks} block (${blocks * BLOCK_MINUTES} minutes) backlog`;
}

/** Returns the histogram of the transactions' ages. */
function ages(stats: PoolStats, now: number): string[] {
  const bins = stats.histo;
  if (bins.length === 0) return [];
  const oldest = now - Number(stats.oldest);
  const most = Number(stats.histo_98pc);
  const startOf = (i: number): number => {
    if (most === 0) return Math.floor((i * oldest) / bins.length);
    return i === bins.length - 1 ? oldest : Math.floor((i * most) / (bins.length - 1));
  };
  const cell = (value: number, width: number): string => String(value).padStart(width);
  return [
    '   Age      Txes       Bytes',
    ...bins.map(
      (bin, i) => clock(startOf(i)) + cell(Number(bin.txs), 8) + cell(Number(bin.bytes), 12),
    ),
  ];
}

export const POOL_COMMANDS = [
  command('print_pool', 'Print the transaction pool with all transactions.', (_, context) =>
    printPool(true, context),
  ),
  command('print_pool_sh', 'Print the transaction pool in short.', (_, context) =>
    printPool(false, context),
  ),
  command('print_pool_stats', "Print the transaction pool's statistics.", (_, context) =>
    poolStats(context),
  ),
  command(
    'flush_txpool [<txid>]',
    'Remove a transaction from the pool, or all of them.',
    async (args, { daemon }) => {
      expectCount(args, 0, 1);
      const txids = args.map((text) => hashText(text, 'the transaction id'));
      await daemon.rpc('flush_txpool', { txids });
      return 'Pool successfully flushed';
    },
  ),
  command('relay_tx <txid>', 'Relay a transaction of the pool.', async (args, { daemon }) => {
    expectCount(args, 1, 1);
    await daemon.rpc('relay_tx', { txids: [hashText(args[0], 'the transaction id')] });
    return 'Transaction successfully relayed';
  }),
];
