import type { ReplyOf } from '@monero-node/rpc-client';
import {
  command,
  CommandError,
  CommandSyntaxError,
  expectCount,
  naturalNumber,
  type CommandContext,
} from '../command.ts';
import { hashesPerSecond, money } from '../format.ts';
import { CLIENTS_COMMAND } from './clients.ts';
import { LEDGER_COMMAND } from './ledger.ts';
import { RIGS_COMMAND } from './rigs.ts';

const MAX_LOG_LEVEL = 4;
const DAY = 86_400;
const CACHES = ['bad-txs', 'bad-blocks'];

type MiningStatus = ReplyOf<'paths', '/mining_status'>;

async function setLog(args: readonly string[], { daemon }: CommandContext): Promise<string> {
  expectCount(args, 0, 1);
  const [spec = '+'] = args;
  if (/^\d+$/.test(spec)) {
    const level = Number(spec);
    if (level > MAX_LOG_LEVEL)
      throw new CommandSyntaxError('the log level is a number from 0 to 4');
    await daemon.path('/set_log_level', { level });
    return `Log level is now ${level}`;
  }
  const answer = await daemon.path('/set_log_categories', { categories: spec });
  return `Log categories are now ${answer.categories}`;
}

async function mineTo(args: readonly string[], { daemon }: CommandContext): Promise<string> {
  expectCount(args, 1, 4);
  const [address = '', threads = '1', background = 'false', ignoreBattery = 'false'] = args;
  await daemon.path('/start_mining', {
    miner_address: address,
    // 0 lets the daemon choose.
    threads_count: threads === 'auto' ? 0 : naturalNumber(threads, 'the number of threads'),
    do_background_mining: background === 'true' || background === '1',
    ignore_battery: ignoreBattery === 'true' || ignoreBattery === '1',
  });
  return 'Mining started';
}

async function miningStatus({ daemon }: CommandContext): Promise<string> {
  const mining = await daemon.path('/mining_status');
  const active = mining.active;
  const background = mining.is_background_mining_enabled;
  const speed = hashesPerSecond(mining.speed);
  return [
    active ? `Mining at ${speed} with ${mining.threads_count} threads` : 'Not currently mining',
    `PoW algorithm: ${mining.pow_algorithm}`,
    ...(active || background ? [`Mining address: ${mining.address}`] : []),
    ...(background ? backgroundMining(mining) : []),
    ...(active ? expectation(mining) : []),
  ].join('\n');
}

function backgroundMining(mining: MiningStatus): string[] {
  return [
    'Smart mining enabled:',
    `  Target: ${mining.bg_target}% CPU`,
    `  Idle threshold: ${mining.bg_idle_threshold}% CPU`,
    `  Min idle time: ${mining.bg_min_idle_seconds} seconds`,
    `  Ignore battery: ${mining.bg_ignore_battery ? 'yes' : 'no'}`,
  ];
}

/** Returns a line with the average reward for this miner's share of the hash rate; none when either rate is 0. */
function expectation(mining: MiningStatus): string[] {
  const speed = mining.speed;
  const difficulty = mining.difficulty;
  if (speed === 0n || difficulty === 0n) return [];
  const during = (seconds: number): string =>
    money((BigInt(seconds) * speed * mining.block_reward) / difficulty);
  return [
    `Expected: ${during(DAY)} monero daily, ${during(DAY * 30.5)} monero monthly, ${during(DAY * 365)} yearly`,
  ];
}

async function popBlocks(args: readonly string[], { daemon }: CommandContext): Promise<string> {
  expectCount(args, 1, 2);
  const nblocks = naturalNumber(args[0], 'the number of blocks');
  if (nblocks === 0) throw new CommandSyntaxError('the number of blocks must be greater than 0');
  const [, keep = 'no-keep-txs'] = args;
  if (keep !== 'keep-txs' && keep !== 'no-keep-txs') {
    throw new CommandSyntaxError(`unexpected parameter: ${keep}`);
  }
  const request = { nblocks, keep_txs: keep === 'keep-txs' };
  return `new height: ${(await daemon.path('/pop_blocks', request)).height}`;
}

async function pruneChain(args: readonly string[], { daemon }: CommandContext): Promise<string> {
  expectCount(args, 0, 1);
  if (args[0] !== 'confirm') {
    throw new CommandError(
      'nothing was pruned. Pruning does not make the database smaller: space that becomes free is used for new blocks.\n' +
        'It can not be undone. To go on, type: prune_blockchain confirm',
    );
  }
  await daemon.rpc('prune_blockchain', { check: false });
  return 'Blockchain pruned';
}

async function flushCache(args: readonly string[], { daemon }: CommandContext): Promise<string> {
  const unknown = args.find((name) => !CACHES.includes(name));
  if (args.length === 0 || unknown !== undefined) {
    throw new CommandSyntaxError(`the caches are ${CACHES.join(' and ')}`);
  }
  await daemon.rpc('flush_cache', {
    bad_txs: args.includes('bad-txs'),
    bad_blocks: args.includes('bad-blocks'),
  });
  return 'Cache flushed';
}

async function update(args: readonly string[], { daemon }: CommandContext): Promise<string> {
  expectCount(args, 1, 1);
  const answer = await daemon.path('/update', { command: args[0] ?? '' });
  if (!answer.update) return 'No update available';
  const found = `Update available: v${answer.version}: ${answer.user_uri}, hash ${answer.hash}`;
  if (answer.path === '') return found;
  return `${found}\nUpdate downloaded to: ${answer.path}\nIt is not installed.`;
}

async function setBootstrapDaemon(
  args: readonly string[],
  { daemon }: CommandContext,
): Promise<string> {
  expectCount(args, 1, 4);
  const [address = '', ...rest] = args;
  const [username = '', password = '', proxy = ''] = rest.length === 1 ? ['', '', rest[0]] : rest;
  const none = address === 'none';
  await daemon.path('/set_bootstrap_daemon', {
    address: none ? '' : address,
    username,
    password,
    proxy,
  });
  return `Successfully set bootstrap daemon address to ${address}`;
}

const stop = async ({ daemon }: CommandContext): Promise<string> => {
  await daemon.path('/stop_daemon');
  return 'Stop signal sent';
};

async function reloadConfig({ reload }: CommandContext): Promise<string> {
  if (reload !== undefined) return await reload();
  throw new CommandError(
    'the node is another process: send it SIGHUP, or use "systemctl reload monero-node" where it is a service',
  );
}

const logHashRate =
  (visible: boolean) =>
  async (_: readonly string[], { daemon }: CommandContext) => {
    await daemon.path('/set_log_hash_rate', { visible });
    return `Hash rate logging is ${visible ? 'on' : 'off'}`;
  };

export const MINING_COMMANDS = [
  command(
    'start_mining <address> [<threads>|auto] [<do_background_mining>] [<ignore_battery>]',
    'Start mining to an address, with one thread unless told otherwise.',
    mineTo,
  ),
  command('stop_mining', 'Stop mining.', async (_, { daemon }) => {
    await daemon.path('/stop_mining');
    return 'Mining stopped';
  }),
  command('mining_status', 'Show current mining status.', (_, context) => miningStatus(context)),
  LEDGER_COMMAND,
  RIGS_COMMAND,
  CLIENTS_COMMAND,
  command('show_hr', 'Start showing the current hash rate.', logHashRate(true)),
  command('hide_hr', 'Stop showing the hash rate.', logHashRate(false)),
];

export const CONTROL_COMMANDS = [
  command(
    'set_log <level>|<{+,-,}categories>',
    'Change the current log level (0-4) or categories.',
    setLog,
  ),
  command('reload', 'Take over the settings that have changed in the config file.', (_, context) =>
    reloadConfig(context),
  ),
  command('save', 'Save the blockchain.', async (_, { daemon }) => {
    await daemon.path('/save_bc');
    return 'Blockchain saved';
  }),
  command(
    'pop_blocks <nblocks> [keep-txs|no-keep-txs]',
    'Remove blocks from the end of the chain, keeping their transactions in the pool or not (default).',
    popBlocks,
  ),
  command('prune_blockchain [confirm]', 'Prune the blockchain.', pruneChain),
  command(
    'check_blockchain_pruning',
    'Check whether the blockchain is pruned.',
    async (_, { daemon }) => {
      const answer = await daemon.rpc('prune_blockchain', { check: true });
      return `Blockchain is ${answer.pruned ? '' : 'not '}pruned`;
    },
  ),
  command('flush_cache [bad-txs] [bad-blocks]', 'Forget what was found to be bad.', flushCache),
  command(
    'update check|download',
    'Look for a newer version, or download it; it is never installed.',
    update,
  ),
  command('rpc_payments', 'Print clients that pay for RPC.', async (_, { daemon }) => {
    const clients = (await daemon.rpc('rpc_access_data')).entries;
    return clients.map((client) => client.client).join('\n');
  }),
  command(
    'set_bootstrap_daemon auto|none|<address> [<username> <password>] [<proxy>]',
    'Use another daemon while this one synchronizes.',
    setBootstrapDaemon,
  ),
  command('exit', 'Stop the daemon.', (_, context) => stop(context)),
  command('stop_daemon', 'Stop the daemon.', (_, context) => stop(context)),
];
