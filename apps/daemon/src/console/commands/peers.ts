import { readFile } from 'node:fs/promises';
import { droppedText, parseBanLines, widestBan } from '@monero-node/p2p/settings';
import { RpcError, type ReplyOf } from '@monero-node/rpc-client';
import {
  command,
  CommandError,
  CommandSyntaxError,
  expectCount,
  isUnreachable,
  naturalNumber,
  type CommandContext,
} from '../command.ts';
import { reasonOf } from '../error-text.ts';
import { byteCount, timeSpan } from '../format.ts';

const BAN_SECONDS = 86_400;
const WHITE_MAX = 1000;
const GRAY_MAX = 5000;
const UNLIMITED = 4_294_967_295;
const ADDRESS_TYPES = ['libp2p', 'IPv4', 'IPv6', 'I2P', 'Tor'];
/** Titles of the connection table and the widths of their columns. */
const COLUMNS: readonly (readonly [title: string, width: number])[] = [
  ['Type', 8],
  ['SSL', 6],
  ['Peer id', 20],
  ['Support Flags', 20],
  ['Recv/Sent (inactive,sec)', 30],
  ['State', 25],
  ['Livetime(sec)', 20],
  ['Down (kB/s)', 12],
  ['Down(now)', 14],
  ['Up (kB/s)', 10],
  ['Up(now)', 13],
];

async function connections({ daemon }: CommandContext): Promise<string> {
  const list = (await daemon.rpc('get_connections')).connections;
  const width = Math.max(22, ...list.map((connection) => 8 + connection.address.length));
  const row = (host: string, cells: readonly string[]): string =>
    host.padEnd(width) + cells.map((cell, i) => cell.padEnd(COLUMNS[i]?.[1] ?? 0)).join('');
  return [
    row(
      'Remote Host',
      COLUMNS.map(([title]) => title),
    ),
    ...list.map((connection) => {
      const traffic = (way: 'recv' | 'send'): string =>
        `${connection[`${way}_count`]}(${connection[`${way}_idle_time`]})`;
      const cells = [
        ADDRESS_TYPES[connection.address_type] ?? 'unknown',
        connection.ssl ? 'yes' : 'no',
        connection.peer_id,
        String(connection.support_flags),
        `${traffic('recv')}/${traffic('send')}`,
        connection.state,
        String(connection.live_time),
        String(connection.avg_download),
        String(connection.current_download),
        String(connection.avg_upload),
        String(connection.current_upload),
      ];
      const place = connection.localhost ? '[LOCALHOST]' : '';
      const lan = connection.local_ip ? '[LAN]' : '';
      const way = connection.incoming ? 'INC' : 'OUT';
      return row(`${way} ${connection.address}`, cells) + place + lan;
    }),
  ]
    .map((line) => line.trimEnd())
    .join('\n');
}

type PeerLine = ReplyOf<'paths', '/get_peer_list'>['white_list'][number];

async function peerList(args: readonly string[], { daemon, now }: CommandContext): Promise<string> {
  const words = new Set(args.filter((word) => !/^\d+$/.test(word)));
  const known = ['white', 'gray', 'pruned', 'publicrpc'];
  const unknown = [...words].find((word) => !known.includes(word));
  if (unknown !== undefined) throw new CommandSyntaxError(`unexpected parameter: ${unknown}`);
  const limit = Number(args.find((word) => /^\d+$/.test(word)) ?? 0) || Infinity;
  const answer = await daemon.path('/get_peer_list', { include_blocked: true });
  const both = !words.has('white') && !words.has('gray');
  const lines = (color: 'white' | 'gray'): string[] =>
    both || words.has(color)
      ? answer[`${color}_list`]
          .slice(0, limit)
          .filter((peer) => !words.has('pruned') || Number(peer.pruning_seed) !== 0)
          .filter((peer) => !words.has('publicrpc') || Number(peer.rpc_port) !== 0)
          .map((peer) => peerLine(color, peer, now()))
      : [];
  return [...lines('white'), ...lines('gray')].join('\n');
}

function peerLine(color: string, peer: PeerLine, now: number): string {
  const seen = Number(peer.last_seen);
  const cells: readonly (readonly [text: string, width: number])[] = [
    [color, 10],
    [peer.id.toString(16).padStart(16, '0'), 25],
    [`${peer.host}:${peer.port}`, 25],
    [String(Number(peer.rpc_port) || '-'), 5],
    [Number(peer.pruning_seed).toString(16), 4],
  ];
  const row = cells.map(([text, width]) => text.padEnd(width)).join(' ');
  return `${row} ${seen === 0 ? 'never' : timeSpan(now - seen)}`;
}

async function netStats({ daemon, now }: CommandContext): Promise<string> {
  const stats = await daemon.path('/get_net_stats');
  const limits = await daemon.path('/get_limit');
  const seconds = Math.max(0, now() - Number(stats.start_time));
  const line = (verb: string, way: 'in' | 'out', limitName: 'limit_up' | 'limit_down'): string => {
    const bytes = Number(stats[`total_bytes_${way}`]);
    const average = seconds > 0 ? Math.floor(bytes / seconds) : 0;
    const limit = Number(limits[limitName]) * 1024;
    const percent = limit === 0 ? 0 : (100 * average) / limit;
    return (
      `${verb} ${bytes} bytes (${byteCount(bytes)}) in ${stats[`total_packets_${way}`]} packets ` +
      `in ${timeSpan(seconds)}, average ${byteCount(average)}/s = ${percent.toFixed(2)}% of the limit of ${byteCount(limit)}/s`
    );
  };
  return `${line('Received', 'in', 'limit_down')}\n${line('Sent', 'out', 'limit_up')}`;
}

async function bans({ daemon }: CommandContext): Promise<string> {
  const list = (await daemon.rpc('get_bans')).bans;
  if (list.length === 0) return 'No IPs are banned';
  return list.map((ban) => `${ban.host} banned for ${ban.seconds} seconds`).join('\n');
}

async function ban(args: readonly string[], { daemon }: CommandContext): Promise<string> {
  expectCount(args, 1, 2);
  const [target = '', text] = args;
  const seconds = text === undefined ? BAN_SECONDS : naturalNumber(text, 'the time in seconds');
  if (seconds === 0) throw new CommandSyntaxError('the time in seconds must be greater than 0');
  const { hosts, refused } = target.startsWith('@')
    ? await hostsIn(target.slice(1))
    : { hosts: [target], refused: [] };
  const banned: string[] = [];
  for (const host of hosts) {
    try {
      await daemon.rpc('set_bans', { bans: [{ host, ban: true, seconds }] });
      banned.push(`${host} banned for ${seconds} seconds`);
    } catch (error) {
      if (isUnreachable(error) || !(error instanceof RpcError)) throw error;
      refused.push(`${host} not banned: ${reasonOf(error, error.message)}`);
    }
  }
  if (refused.length > 0) throw new CommandError([...refused, ...banned].join('\n'));
  return banned.join('\n');
}

/** Reads a ban list as --ban-list does. Returns its hosts and subnets, and a line about what it names besides. */
async function hostsIn(path: string): Promise<{ hosts: string[]; refused: string[] }> {
  try {
    const { targets, dropped } = parseBanLines((await readFile(path, 'utf8')).split(/\r?\n/));
    return {
      hosts: targets.map(({ text }) => text),
      refused: dropped.count === 0 ? [] : [droppedText(dropped)],
    };
  } catch (error) {
    throw new CommandSyntaxError((error as Error).message);
  }
}

async function unban(args: readonly string[], { daemon }: CommandContext): Promise<string> {
  expectCount(args, 1, 1);
  const [target = ''] = args;
  const bans = target === 'all' ? (await daemon.rpc('get_bans')).bans : [{ host: target }];
  if (bans.length > 0) {
    await daemon.rpc('set_bans', {
      bans: bans.map(({ host }) => ({ host, ban: false, seconds: 0 })),
    });
  }
  // Nothing is left of a subnet, but a host may be in one that is banned.
  if (target !== 'all' && !target.includes('/')) await checkLifted(target, daemon);
  return bans.map(({ host }) => `${host} unbanned`).join('\n');
}

/** Throws CommandError when a host is still banned. */
async function checkLifted(host: string, daemon: CommandContext['daemon']): Promise<void> {
  if (!(await daemon.rpc('banned', { address: host })).banned) return;
  const texts = (await daemon.rpc('get_bans')).bans.map((entry) => entry.host);
  const subnet = widestBan(host, texts);
  const hint =
    subnet === undefined ? '' : `: it is in ${subnet} ("unban ${subnet}" lifts that ban)`;
  throw new CommandError(`${host} is still banned${hint}`);
}

async function banned(args: readonly string[], { daemon }: CommandContext): Promise<string> {
  expectCount(args, 1, 1);
  const [address = ''] = args;
  const answer = await daemon.rpc('banned', { address });
  return answer.banned
    ? `${address} is banned for ${answer.seconds} seconds`
    : `${address} is not banned`;
}

type Way = 'up' | 'down';

/** Returns a command that shows limits, or sets them when a number is given. */
async function limit(
  ways: readonly Way[],
  args: readonly string[],
  { daemon }: CommandContext,
): Promise<string> {
  expectCount(args, 0, 1);
  if (args.length === 0) {
    const limits = await daemon.path('/get_limit');
    return ways.map((way) => `limit-${way} is ${limits[`limit_${way}`]} kB/s`).join('\n');
  }
  const value = args[0] === '-1' ? -1 : naturalNumber(args[0], 'the limit');
  const request = {
    limit_down: ways.includes('down') ? value : 0,
    limit_up: ways.includes('up') ? value : 0,
  };
  const limits = await daemon.path('/set_limit', request);
  return (['down', 'up'] as const)
    .map((way) => `Set limit-${way} to ${limits[`limit_${way}`]} kB/s`)
    .join('\n');
}

async function peerCount(
  side: 'out' | 'in',
  args: readonly string[],
  { daemon }: CommandContext,
): Promise<string> {
  expectCount(args, 0, 1);
  const set = args.length === 1;
  const count = !set
    ? 0
    : args[0] === '-1'
      ? UNLIMITED
      : naturalNumber(args[0], 'the number of peers');
  const result =
    side === 'out'
      ? (await daemon.path('/out_peers', { out_peers: count, set })).out_peers
      : (await daemon.path('/in_peers', { in_peers: count, set })).in_peers;
  const shown = result === UNLIMITED ? 'unlimited' : result;
  return `Max number of ${side} peers set to ${shown}`;
}

export const PEER_COMMANDS = [
  command('print_cn', 'Print the current connections.', (_, context) => connections(context)),
  command(
    'print_pl [white] [gray] [pruned] [publicrpc] [<limit>]',
    'Print the current peer list.',
    peerList,
  ),
  command('print_pl_stats', 'Print the peer list statistics.', async (_, { daemon }) => {
    const info = await daemon.path('/get_info');
    const line = (color: string, size: number, most: number): string =>
      `${color} list size: ${size}/${most} (${Number(((100 * size) / most).toPrecision(6))}%)`;
    return [
      line('White', Number(info.white_peerlist_size), WHITE_MAX),
      line('Gray', Number(info.grey_peerlist_size), GRAY_MAX),
    ].join('\n');
  }),
  command('print_net_stats', 'Print network statistics.', (_, context) => netStats(context)),
  command('bans', 'Show the currently banned IPs.', (_, context) => bans(context)),
  command(
    'ban <IP>|@<filename> [<seconds>]',
    'Ban an IP or subnet, or those in a file, for a day by default.',
    ban,
  ),
  command('unban <address>|all', 'Lift a ban, or all of them.', unban),
  command('banned <address>', 'Check whether an address is banned.', banned),
  command('limit [<kB/s>]', 'Get or set the download and upload limit.', (args, context) =>
    limit(['down', 'up'], args, context),
  ),
  command('limit_up [<kB/s>]', 'Get or set the upload limit.', (args, context) =>
    limit(['up'], args, context),
  ),
  command('limit_down [<kB/s>]', 'Get or set the download limit.', (args, context) =>
    limit(['down'], args, context),
  ),
  command(
    'out_peers [<max_number>]',
    'Get or set how many outgoing connections are kept.',
    (args, context) => peerCount('out', args, context),
  ),
  command(
    'in_peers [<max_number>]',
    'Get or set how many incoming connections are allowed.',
    (args, context) => peerCount('in', args, context),
  ),
];
