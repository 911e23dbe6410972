import { toHex } from '@monero-node/codec/bytes';
import {
  RpcConnectionError,
  RpcError,
  RpcStatusError,
  type ReplyOf,
} from '@monero-node/rpc-client';
import {
  command,
  CommandError,
  CommandSyntaxError,
  isUnreachable,
  expectCount,
  naturalNumber,
  type CommandContext,
} from '../command.ts';
import { LEAST_FREE } from '../../notices/resource-notices.ts';
import { reachSentence } from '../../runtime/reach-sentence.ts';
import { formatDuration } from '../../runtime/sync-progress.ts';
import { byteCount, hashesPerSecond, timeSpan, uptime, wideInteger } from '../format.ts';
import { rigsState } from './rigs.ts';

type AlternateChain = ReplyOf<'names', 'get_alternate_chains'>['chains'][number];
type SyncInfo = ReplyOf<'names', 'sync_info'>;
type SyncSpan = SyncInfo['spans'][number];
type SyncPeer = NonNullable<SyncInfo['peers'][number]['info']>;

/** The state of a daemon: its height and that of the network. */
type ChainState = Pick<
  ReplyOf<'paths', '/get_info'>,
  | 'height'
  | 'target_height'
  | 'nettype'
  | 'offline'
  | 'synchronized'
  | 'start_time'
  | 'outgoing_connections_count'
  | 'incoming_connections_count'
>;

/** Returns why nobody knows how high the chain of the network is; undefined when the daemon knows. */
function unknownTarget(info: ChainState): string | undefined {
  // A private chain without peers is whole.
  if (Number(info.target_height) > 0 || info.nettype === 'fakechain') return undefined;
  if (info.offline) return 'offline: cannot tell how far the network is';
  const peers = Number(info.outgoing_connections_count) + Number(info.incoming_connections_count);
  // A restricted daemon hides both its peers and when it started.
  const isRestricted = Number(info.start_time) === 0;
  if (peers === 0 && !isRestricted) return 'no peers: cannot tell how far the network is';
  return info.synchronized ? undefined : 'cannot tell yet how far the network is';
}

/** Returns the height and, where it is known, that of the network with the progress in percent and `more`. */
function heightText(info: ChainState, more = ''): string {
  const unknown = unknownTarget(info);
  const height = Number(info.height);
  if (unknown !== undefined) return `${height} (${unknown})`;
  const target = Math.max(height, Number(info.target_height));
  // Rounding must not show 100% before the end.
  const percent = (100 * height) / Math.max(target, 1);
  const shown = height < target ? Math.min(percent, 99.9) : 100;
  return `${height}/${target} (${shown.toFixed(1)}%${more})`;
}

/** A restricted daemon does not say. */
async function miningState({ daemon }: CommandContext): Promise<string> {
  try {
    const mining = await daemon.path('/mining_status');
    if (!mining.active) return 'not mining';
    const smart = mining.is_background_mining_enabled ? 'smart ' : '';
    return `${smart}mining at ${hashesPerSecond(mining.speed)}`;
  } catch (error) {
    if (isUnreachable(error) || !(error instanceof RpcError)) throw error;
    const isBusy = error instanceof RpcStatusError && error.status === 'BUSY';
    return isBusy ? 'syncing' : 'mining info unavailable';
  }
}

/** Returns the time until the next fork when it is near. */
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

/** Returns the time until the end of synchronization; an empty text when it is unknown. */
function timeLeft(blocks: number, { own }: CommandContext): string {
  const speed = own?.blocksPerSecond ?? 0;
  return blocks > 0 && speed > 0 ? `, ${formatDuration(blocks / speed)} left` : '';
}

/** Returns sentences about what is wrong with the machine. Restricted daemons do not say how much space is free. */
function problems({ own }: CommandContext, freeBytes: number): string[] {
  const disk = freeBytes < LEAST_FREE ? [`only ${byteCount(freeBytes)} are free on the disk`] : [];
  return [own?.problem ?? [], disk].flat().map((problem) => `Problem: ${problem}`);
}

/**
 * Returns a sentence for `status` about who comes in from outside; undefined when nobody is to, or the daemon does not say, as restricted
 * ones do not. Throws RpcError when no daemon can be asked.
 */
async function reachState({ daemon, now }: CommandContext): Promise<string | undefined> {
  try {
    const answer = await daemon.rpc('get_reachability');
    const { addresses, closed_by: closedBy, mapping, networks, port } = answer;
    if (closedBy !== '') return undefined;
    const open = networks.find(({ network }) => network === 'public');
    const last = Number(open?.last ?? 0);
    const facts = {
      port,
      connected: Number(open?.connected ?? 0),
      last: last === 0 ? undefined : last,
      addresses: addresses.map(({ address }) => address),
      mapping: mapping?.state,
    };
    return `Incoming: ${reachSentence(facts, now())}`;
  } catch (error) {
    if (isUnreachable(error) || !(error instanceof RpcError)) throw error;
    return undefined;
  }
}

async function status(context: CommandContext): Promise<string> {
  const info = await context.daemon.path('/get_info');
  const fork = await context.daemon.rpc('hard_fork_info');
  const height = Number(info.height);
  const target = Math.max(height, Number(info.target_height));
  const blockTime = Number(info.target) || 120;
  const parts = [
    `Height: ${heightText(info, timeLeft(target - height, context))} on ${info.nettype}`,
    await miningState(context),
    `net hash ${hashesPerSecond(wideInteger(info.wide_difficulty) / BigInt(blockTime))}`,
    `v${fork.version}${forkNotice(Number(fork.earliest_height), target, blockTime)}`,
    `${info.outgoing_connections_count}(out)+${info.incoming_connections_count}(in) connections`,
    `${info.tx_pool_size} in the pool`,
  ];
  // A restricted daemon does not say when it started.
  const started = Number(info.start_time);
  if (started > 0) parts.push(`uptime ${uptime(context.now() - started)}`);
  const { events, fleet, seed, saturation = 0, tree } = context.own ?? {};
  if (saturation > 0) parts.push(`answers ${saturation} % busy`);
  const published = events === undefined ? undefined : `Events: ${events}`;
  const others = fleet === undefined ? undefined : `Fleet: ${fleet}`;
  const copied = seed === undefined ? undefined : `A new node copies the chain: ${seed}`;
  const built = tree === undefined ? undefined : `Curve tree: ${tree}`;
  const own = [published, others, copied, built];
  const more = [await reachState(context), await rigsState(context), ...own];
  const lines = [parts.join(', '), ...more.filter((line) => line !== undefined)];
  return [...lines, ...problems(context, Number(info.free_space))].join('\n');
}

async function printStatus({ daemon, remote }: CommandContext): Promise<string> {
  if (!remote) return 'print_status makes no sense in interactive mode';
  try {
    await daemon.path('/get_height');
    return 'monerod is running';
  } catch (error) {
    if (error instanceof RpcConnectionError) throw new CommandError('monerod is NOT running');
    throw error;
  }
}

/** Another process is examined by its options, before any command is looked at. */
async function doctor({ examine }: CommandContext): Promise<string> {
  if (examine === undefined) throw new CommandError('doctor needs the options of the node');
  return await examine();
}

async function difficulty(context: CommandContext): Promise<string> {
  const info = await context.daemon.path('/get_info');
  const blockTime = BigInt(Number(info.target) || 120);
  const current = wideInteger(info.wide_difficulty);
  return (
    `BH: ${info.height}, TH: ${toHex(info.top_block_hash)}, DIFF: ${current}, ` +
    `CUM_DIFF: ${wideInteger(info.wide_cumulative_difficulty)}, HR: ${current / blockTime} H/s`
  );
}

async function hardForkInfo(args: readonly string[], { daemon }: CommandContext): Promise<string> {
  expectCount(args, 0, 1);
  const asked = args.length === 0 ? 0 : naturalNumber(args[0], 'the version');
  if (args.length === 1 && (asked < 1 || asked > 255)) {
    throw new CommandSyntaxError('the version must be between 1 and 255');
  }
  const info = await daemon.rpc('hard_fork_info', { version: asked });
  const enabled = info.enabled ? 'enabled' : 'not enabled';
  return [
    `version ${asked || Number(info.voting)} ${enabled}, ` +
      `${info.votes}/${info.window} votes, threshold ${info.threshold}`,
    `current version ${info.version}, voting for version ${info.voting}`,
  ].join('\n');
}

interface AltFilter {
  readonly tip: string;
  /** Shows only chains with more blocks than this. */
  readonly above: number;
  /** Shows only chains that split off within this number of newest blocks; 0 shows all. */
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
  const height = Number((await context.daemon.path('/get_info')).height);
  const chains = (await context.daemon.rpc('get_alternate_chains')).chains;
  const startOf = (chain: AlternateChain): number =>
    Number(chain.height) - Number(chain.length) + 1;
  const describe = (chain: AlternateChain): string =>
    `${chain.length} blocks long, from height ${startOf(chain)} ` +
    `(${height - startOf(chain) - 1} deep), diff ${wideInteger(chain.wide_difficulty)}:`;
  if (filter.tip !== '') {
    const chain = chains.find((candidate) => toHex(candidate.block_hash) === filter.tip);
    if (chain === undefined) {
      throw new CommandError(
        `Block hash ${filter.tip} is not the tip of any known alternate chain`,
      );
    }
    return [
      `Found alternate chain with tip ${filter.tip}`,
      describe(chain),
      ...chain.block_hashes.map(toHex).map((hash) => `  ${hash}`),
      `Chain parent on main chain: ${toHex(chain.main_chain_parent_block)}`,
      await ageOf(chain, context),
    ].join('\n');
  }
  const shown = chains
    .filter((chain) => Number(chain.length) > filter.above)
    .filter((chain) => filter.last === 0 || height - 1 - startOf(chain) < filter.last)
    .sort((a, b) => Number(a.height) - Number(b.height));
  return [
    `${shown.length} alternate chains found:`,
    ...shown.map((chain) => `${describe(chain)} ${toHex(chain.block_hash)}`),
  ].join('\n');
}

async function ageOf(chain: AlternateChain, { daemon, now }: CommandContext): Promise<string> {
  const hashes = [...chain.block_hashes.map(toHex), toHex(chain.main_chain_parent_block)];
  const answer = await daemon.rpc('get_block_header_by_hash', { hashes });
  const times = answer.block_headers.map((header) => Number(header.timestamp));
  const first = Math.min(...times);
  const span = Math.max(...times) - first;
  const age = `Age: ${timeSpan(Math.max(span, now() - first))}`;
  return Number(chain.length) > 1 ? `${age}\nTime span: ${timeSpan(span)}` : age;
}

async function syncInfo({ daemon }: CommandContext): Promise<string> {
  const info = await daemon.rpc('sync_info');
  const height = Number(info.height);
  const target = Math.max(height, Number(info.target_height));
  const peers = info.peers.flatMap(({ info: peer }) => peer ?? []);
  const isKnown = peers.length > 0 || Number(info.target_height) > 0;
  const unknown = isKnown ? undefined : unknownTarget(await daemon.path('/get_info'));
  const spans = info.spans;
  const megabytes = (list: readonly SyncSpan[]): number =>
    list.reduce((sum, span) => sum + Number(span.size), 0) / 1e6;
  const queuedBy = (peer: SyncPeer): SyncSpan[] =>
    spans.filter((span) => span.connection_id === peer.connection_id);
  const needed = Number(info.next_needed_pruning_seed);
  return [
    unknown === undefined
      ? `Height: ${height}, target: ${target} (${Number(((100 * height) / target).toPrecision(6))}%)`
      : `Height: ${height} (${unknown})`,
    `Downloading at ${peers.reduce((sum, peer) => sum + Number(peer.current_download), 0)} kB/s`,
    ...(needed === 0 ? [] : [`Next needed pruning seed: ${needed}`]),
    `${peers.length} peers`,
    'Remote Host                        Peer_ID   State   Prune_Seed          Height  DL kB/s, Queued Blocks / MB',
    ...peers.map((peer) => {
      const queued = queuedBy(peer);
      const blocks = queued.reduce((sum, span) => sum + Number(span.nblocks), 0);
      return (
        `${peer.address.padEnd(24)}  ${peer.peer_id}  ${peer.state.padEnd(16)}  ` +
        `${Number(peer.pruning_seed).toString(16).padEnd(8)}  ${peer.height}  ` +
        `${peer.current_download} kB/s, ${blocks} blocks / ${megabytes(queued)} MB queued`
      );
    }),
    `${spans.length} spans, ${megabytes(spans)} MB`,
    info.overview,
    ...spans.map(spanLine),
  ].join('\n');
}

function spanLine(span: SyncSpan): string {
  const start = Number(span.start_block_height);
  const range = `${start} - ${start + Number(span.nblocks) - 1}`;
  const head = `${span.remote_address.padEnd(24)}  ${span.nblocks}`;
  const size = Number(span.size);
  if (size === 0) return `${head} (${range})  -`;
  const rate = Math.floor(Number(span.rate) / 1000);
  return `${head} (${range}, ${Math.floor(size / 1000)} kB)  ${rate} kB/s (${Number(span.speed) / 100})`;
}

export const STATE_COMMANDS = [
  command('status', 'Show the current status.', (_, context) => status(context)),
  command('doctor', 'Check the node and its machine, and say what to do.', (_, context) =>
    doctor(context),
  ),
  command('print_status', 'Show whether the daemon is running.', (_, context) =>
    printStatus(context),
  ),
  command('print_height', 'Print the local blockchain height.', async (_, { daemon }) =>
    String((await daemon.path('/get_height')).height),
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
    const version = (await context.daemon.path('/get_info')).version;
    return version === '' ? 'The daemon does not report its version.' : version;
  }),
];
