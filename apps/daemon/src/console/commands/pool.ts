import { Answer } from '../answer.ts';
import { command, expectCount, hashText, type CommandContext } from '../command.ts';
import { clock, money, timeAgo } from '../format.ts';

const BLOCK_MINUTES = 2;

/** Everything about a pool transaction but its contents. */
function facts(tx: Answer, now: number): string[] {
  const ago = (time: number): string => `${time} (${timeAgo(time, now)})`;
  const letter = (name: string): string => (tx.flag(name) ? 'T' : 'F');
  const weight = tx.integer('weight') || 1n;
  return [
    `blob_size: ${tx.number('blob_size')}`,
    `weight: ${tx.number('weight')}`,
    `fee: ${money(tx.integer('fee'))}`,
    `fee/byte: ${money(tx.integer('fee') / weight)}`,
    `receive_time: ${ago(tx.number('receive_time'))}`,
    `relayed: ${tx.flag('relayed') ? ago(tx.number('last_relayed_time')) : 'no'}`,
    `do_not_relay: ${letter('do_not_relay')}`,
    `kept_by_block: ${letter('kept_by_block')}`,
    `double_spend_seen: ${letter('double_spend_seen')}`,
    `max_used_block_height: ${tx.number('max_used_block_height')}`,
    `max_used_block_id: ${tx.text('max_used_block_id_hash')}`,
    `last_failed_height: ${tx.number('last_failed_height')}`,
    `last_failed_id: ${tx.text('last_failed_id_hash')}`,
  ];
}

async function printPool(long: boolean, { rpc, now }: CommandContext): Promise<string> {
  const answer = new Answer(await rpc.path('/get_transaction_pool'));
  const transactions = answer.objects('transactions');
  if (transactions.length === 0) return 'Pool is empty';
  const entries = transactions.map((tx) =>
    [`id: ${tx.text('id_hash')}`, ...(long ? [tx.text('tx_json')] : []), ...facts(tx, now())].join(
      '\n',
    ),
  );
  if (!long) return entries.join('\n\n');
  const images = answer
    .objects('spent_key_images')
    .map(
      (image) => `key image: ${image.text('id_hash')}  tx: ${image.texts('txs_hashes').join(' ')}`,
    );
  return ['Transactions:', entries.join('\n\n'), '', 'Spent key images:', ...images].join('\n');
}

async function poolStats({ rpc, now }: CommandContext): Promise<string> {
  const stats = new Answer(await rpc.path('/get_transaction_pool_stats')).object('pool_stats');
  const info = new Answer(await rpc.path('/get_info'));
  const count = stats.number('txs_total');
  const bytes = stats.number('bytes_total');
  const fees = stats.integer('fee_total');
  const average = count === 0 ? 0 : Math.floor(bytes / count);
  const per = (total: bigint, parts: number): string =>
    money(parts === 0 ? 0n : total / BigInt(parts));
  const oldest = stats.number('oldest');
  return [
    `${count} tx(es), ${bytes} bytes total (min ${stats.number('bytes_min')}, max ${stats.number('bytes_max')}, ` +
      `avg ${average}, median ${stats.number('bytes_med')})`,
    `fees ${money(fees)} (avg ${per(fees, count)} per tx, ${per(fees, bytes)} per byte)`,
    `${stats.number('num_double_spends')} double spends, ${stats.number('num_not_relayed')} not relayed, ` +
      `${stats.number('num_failing')} failing, ${stats.number('num_10m')} older than 10 minutes ` +
      `(oldest ${oldest === 0 ? '-' : timeAgo(oldest, now())}), ${backlog(bytes, info.number('block_weight_limit') / 2)}`,
    ...ages(stats, now()),
  ].join('\n');
}

function backlog(bytes: number, blockBytes: number): string {
  if (bytes <= blockBytes || blockBytes === 0) return 'no backlog';
  const blocks = Math.ceil(bytes / blockBytes);
  return `estimated ${blocks} block (${blocks * BLOCK_MINUTES} minutes) backlog`;
}

/** The histogram: how many transactions are at least how old. */
function ages(stats: Answer, now: number): string[] {
  const bins = stats.objects('histo');
  if (bins.length === 0) return [];
  const oldest = now - stats.number('oldest');
  const most = stats.number('histo_98pc');
  const startOf = (i: number): number => {
    if (most === 0) return Math.floor((i * oldest) / bins.length);
    return i === bins.length - 1 ? oldest : Math.floor((i * most) / (bins.length - 1));
  };
  const cell = (value: number, width: number): string => String(value).padStart(width);
  return [
    '   Age      Txes       Bytes',
    ...bins.map(
      (bin, i) => clock(startOf(i)) + cell(bin.number('txs'), 8) + cell(bin.number('bytes'), 12),
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
    async (args, { rpc }) => {
      expectCount(args, 0, 1);
      const txids = args.map((text) => hashText(text, 'the transaction id'));
      await rpc.method('flush_txpool', { txids });
      return 'Pool successfully flushed';
    },
  ),
  command('relay_tx <txid>', 'Relay a transaction of the pool.', async (args, { rpc }) => {
    expectCount(args, 1, 1);
    await rpc.method('relay_tx', { txids: [hashText(args[0], 'the transaction id')] });
    return 'Transaction successfully relayed';
  }),
];
