import { RpcCallError, RpcConnectionError } from '@monero-node/rpc';
import { Answer } from '../answer.ts';
import {
  command,
  CommandSyntaxError,
  expectCount,
  naturalNumber,
  type CommandContext,
} from '../command.ts';
import { hashRate, timeSpan, uptime } from '../format.ts';

async function infoOf({ rpc }: CommandContext): Promise<Answer> {
  return new Answer(await rpc.path('/get_info'));
}

/** Percent of the way, not 100 before the end is reached. */
function syncPercent(height: number, target: number): number {
  const percent = target === 0 ? 100 : (100 * height) / Math.max(height, target);
  return height < target ? Math.min(percent, 99.9) : percent;
}

/** A restricted daemon does not say. */
async function miningState({ rpc }: CommandContext): Promise<string> {
  try {
    const mining = new Answer(await rpc.path('/mining_status'));
    if (!mining.flag('active')) return 'not mining';
    const smart = mining.flag('is_background_mining_enabled') ? 'smart ' : '';
    return `${smart}mining at ${hashRate(mining.integer('speed'))}`;
  } catch (error) {
    if (!(error instanceof RpcCallError)) throw error;
    return error.status === 'BUSY' ? 'syncing' : 'mining info unavailable';
  }
}

/** When the next fork is near. */
function forkNotice(fork: number, height: number, blockTime: number): string {
  const perDay = 86_400 / blockTime;
  const blocks = fork - height;
  if (blocks === 0) return ' (forking now)';
  if (blocks < 0 || blocks > perDay * 30) return '';
  if (blocks <= 30) return ` (next fork in ${blocks} blocks)`;
  const inHours = blocks <= perDay / 2;
  const value = (blocks / (inHours ? perDay / 24 : perDay)).toFixed(1);
  return ` (next fork in ${value} ${inHours ? 'hours' : 'days'})`;
}

async function status(context: CommandContext): Promise<string> {
  const info = await infoOf(context);
  const fork = new Answer(await context.rpc.method('hard_fork_info'));
  const height = info.number('height');
  const target = Math.max(height, info.number('target_height'));
  const blockTime = info.number('target') || 120;
  const parts = [
    `Height: ${height}/${target} (${syncPercent(height, info.number('target_height')).toFixed(1)}%) on ${info.text('nettype')}`,
    await miningState(context),
    `net hash ${hashRate(info.wide('wide_difficulty') / BigInt(blockTime))}`,
    `v${fork.number('version')}${forkNotice(fork.number('earliest_height'), target, blockTime)}`,
    `${info.number('outgoing_connections_count')}(out)+${info.number('incoming_connections_count')}(in) connections`,
  ];
  // A restricted daemon does not say when it started.
  const started = info.number('start_time');
  if (started > 0) parts.push(`uptime ${uptime(context.now() - started)}`);
  return parts.join(', ');
}

async function printStatus({ rpc, remote }: CommandContext): Promise<string> {
  if (!remote) return 'print_status makes no sense in interactive mode';
  try {
    await rpc.path('/get_height');
    return 'monerod is running';
  } catch (error) {
    if (error instanceof RpcConnectionError) return 'monerod is NOT running';
    throw error;
  }
}

async function difficulty(context: CommandContext): Promise<string> {
  const info = await infoOf(context);
  const blockTime = BigInt(info.number('target') || 120);
  const current = info.wide('wide_difficulty');
  return (
    `BH: ${info.number('height')}, TH: ${info.text('top_block_hash')}, DIFF: ${current}, ` +
    `CUM_DIFF: ${info.wide('wide_cumulative_difficulty')}, HR: ${current / blockTime} H/s`
  );
}

async function hardForkInfo(args: readonly string[], { rpc }: CommandContext): Promise<string> {
  expectCount(args, 0, 1);
  const asked = args.length === 0 ? 0 : naturalNumber(args[0], 'the version');
  if (args.length === 1 && (asked < 1 || asked > 255)) {
    throw new CommandSyntaxError('the version must be between 1 and 255');
  }
  const info = new Answer(await rpc.method('hard_fork_info', { version: asked }));
  const enabled = info.flag('enabled') ? 'enabled' : 'not enabled';
  return [
    `version ${asked || info.number('voting')} ${enabled}, ` +
      `${info.number('votes')}/${info.number('window')} votes, threshold ${info.number('threshold')}`,
    `current version ${info.number('version')}, voting for version ${info.number('voting')}`,
  ].join('\n');
}

interface AltFilter {
  readonly tip: string;
  /** Chains of more blocks than this. */
  readonly above: number;
  /** Chains that began in the last so many blocks; 0 = whenever. */
  readonly last: number;
}

function altFilter([text = '', ...more]: readonly string[]): AltFilter {
  if (more.length > 0) throw new CommandSyntaxError('at most 1 parameter expected');
  if (text.startsWith('>'))
    return { tip: '', above: naturalNumber(text.slice(1), 'the length'), last: 0 };
  if (text.startsWith('-'))
    return { tip: '', above: 0, last: naturalNumber(text.slice(1), 'the depth') };
  return { tip: text, above: 0, last: 0 };
}

async function altChainInfo(args: readonly string[], context: CommandContext): Promise<string> {
  const filter = altFilter(args);
  const height = (await infoOf(context)).number('height');
  const chains = new Answer(await context.rpc.method('get_alternate_chains')).objects('chains');
  const startOf = (chain: Answer): number => chain.number('height') - chain.number('length') + 1;
  const describe = (chain: Answer): string =>
    `${chain.number('length')} blocks long, from height ${startOf(chain)} ` +
    `(${height - startOf(chain) - 1} deep), diff ${chain.wide('wide_difficulty')}:`;
  if (filter.tip !== '') {
    const chain = chains.find((candidate) => candidate.text('block_hash') === filter.tip);
    if (chain === undefined) {
      throw new RpcCallError(
        `Block hash ${filter.tip} is not the tip of any known alternate chain`,
      );
    }
    return [
      `Found alternate chain with tip ${filter.tip}`,
      describe(chain),
      ...chain.texts('block_hashes').map((hash) => `  ${hash}`),
      `Chain parent on main chain: ${chain.text('main_chain_parent_block')}`,
      await ageOf(chain, context),
    ].join('\n');
  }
  const shown = chains
    .filter((chain) => chain.number('length') > filter.above)
    .filter((chain) => filter.last === 0 || height - 1 - startOf(chain) < filter.last)
    .sort((a, b) => a.number('height') - b.number('height'));
  return [
    `${shown.length} alternate chains found:`,
    ...shown.map((chain) => `${describe(chain)} ${chain.text('block_hash')}`),
  ].join('\n');
}

async function ageOf(chain: Answer, { rpc, now }: CommandContext): Promise<string> {
  const hashes = [...chain.texts('block_hashes'), chain.text('main_chain_parent_block')];
  const answer = new Answer(await rpc.method('get_block_header_by_hash', { hashes }));
  const times = answer.objects('block_headers').map((header) => header.number('timestamp'));
  const first = Math.min(...times);
  const span = Math.max(...times) - first;
  const age = `Age: ${timeSpan(Math.max(span, now() - first))}`;
  return chain.number('length') > 1 ? `${age}\nTime span: ${timeSpan(span)}` : age;
}

async function syncInfo({ rpc }: CommandContext): Promise<string> {
  const info = new Answer(await rpc.method('sync_info'));
  const height = info.number('height');
  const target = Math.max(height, info.number('target_height'));
  const peers = info.objects('peers').map((peer) => peer.object('info'));
  const spans = info.objects('spans');
  const megabytes = (list: readonly Answer[]): number =>
    list.reduce((sum, span) => sum + span.number('size'), 0) / 1e6;
  const queuedBy = (peer: Answer): Answer[] =>
    spans.filter((span) => span.text('connection_id') === peer.text('connection_id'));
  const needed = info.number('next_needed_pruning_seed');
  return [
    `Height: ${height}, target: ${target} (${Number(((100 * height) / target).toPrecision(6))}%)`,
    `Downloading at ${peers.reduce((sum, peer) => sum + peer.number('current_download'), 0)} kB/s`,
    ...(needed === 0 ? [] : [`Next needed pruning seed: ${needed}`]),
    `${peers.length} peers`,
    'Remote Host                        Peer_ID   State   Prune_Seed          Height  DL kB/s, Queued Blocks / MB',
    ...peers.map((peer) => {
      const queued = queuedBy(peer);
      const blocks = queued.reduce((sum, span) => sum + span.number('nblocks'), 0);
      return (
        `${peer.text('address').padEnd(24)}  ${peer.text('peer_id')}  ${peer.text('state').padEnd(16)}  ` +
        `${peer.number('pruning_seed').toString(16).padEnd(8)}  ${peer.number('height')}  ` +
        `${peer.number('current_download')} kB/s, ${blocks} blocks / ${megabytes(queued)} MB queued`
      );
    }),
    `${spans.length} spans, ${megabytes(spans)} MB`,
    info.text('overview'),
    ...spans.map(spanLine),
  ].join('\n');
}

function spanLine(span: Answer): string {
  const start = span.number('start_block_height');
  const range = `${start} - ${start + span.number('nblocks') - 1}`;
  const head = `${span.text('remote_address').padEnd(24)}  ${span.number('nblocks')}`;
  const size = span.number('size');
  if (size === 0) return `${head} (${range})  -`;
  const rate = Math.floor(span.number('rate') / 1000);
  return `${head} (${range}, ${Math.floor(size / 1000)} kB)  ${rate} kB/s (${span.number('speed') / 100})`;
}

export const STATE_COMMANDS = [
  command('status', 'Show the current status.', (_, context) => status(context)),
  command('print_status', 'Show whether the daemon is running.', (_, context) =>
    printStatus(context),
  ),
  command('print_height', 'Print the local blockchain height.', async (_, { rpc }) =>
    String(new Answer(await rpc.path('/get_height')).number('height')),
  ),
  command('sync_info', 'Print information about the blockchain sync state.', (_, context) =>
    syncInfo(context),
  ),
  command('diff', 'Show the current difficulty.', (_, context) => difficulty(context)),
  command(
    'hard_fork_info [<version>]',
    'Print the state of a hard fork, the next one unless told otherwise.',
    hardForkInfo,
  ),
  command(
    'alt_chain_info [<block_hash>|><length>|-<depth>]',
    'Print alternative chains, or one of them.',
    altChainInfo,
  ),
  command('version', 'Print version information.', async (_, context) => {
    const version = (await infoOf(context)).text('version');
    return version === '' ? 'The daemon does not tell its version.' : version;
  }),
];
