import { toHex } from '@monero-node/codec';
import { formatDuration } from '../progress.ts';
import type { LogLevels } from '../log/levels.ts';
import type { MoneroNode } from '../node.ts';
import { VERSION_TEXT } from '../version.ts';

export interface ConsoleContext {
  readonly node: MoneroNode;
  readonly levels: LogLevels;
  /** Unix seconds. */
  readonly startTime: number;
  requestStop(): void;
}

export interface Command {
  readonly names: readonly string[];
  readonly usage: string;
  readonly help: string;
  run(args: readonly string[], context: ConsoleContext): string | Promise<string>;
}

function status({ node, startTime }: ConsoleContext): string {
  const { blockchain, p2p } = node;
  const height = blockchain.height;
  const target = Math.max(height, p2p.targetHeight);
  const percent = Math.floor((1000 * height) / target) / 10;
  const uptime = formatDuration(Date.now() / 1000 - startTime);
  return (
    `Height: ${height}/${target} (${percent.toFixed(1)}%) on ${blockchain.network.nettype}, ` +
    `not mining, v${blockchain.nextVersion()}, ` +
    `${p2p.outgoingCount}(out)+${p2p.incomingCount}(in) connections, uptime ${uptime}`
  );
}

function syncInfo({ node }: ConsoleContext): string {
  const { height, targetHeight, peers, spans, overview } = node.p2p.syncInfo();
  const target = Math.max(height, targetHeight);
  return [
    `Height: ${height}, target: ${target} (${((100 * height) / target).toFixed(2)}%)`,
    `${peers.length} peers`,
    ...peers.map(
      (peer) =>
        `${peer.address}  ${peer.peerId}  ${peer.state}  ${peer.height}  ${peer.currentDownload} kB/s`,
    ),
    `${spans.length} spans`,
    overview,
  ].join('\n');
}

function connections({ node }: ConsoleContext): string {
  const rows = node.p2p
    .connections()
    .map(
      (c) =>
        `${c.incoming ? 'INC' : 'OUT'} ${c.address.padEnd(22)} ${c.peerId} ` +
        `recv ${c.recvCount} (${c.recvIdleTime}s) send ${c.sendCount} (${c.sendIdleTime}s) ` +
        `${c.state} ${c.liveTime}s`,
    );
  return rows.length === 0 ? 'No connections' : rows.join('\n');
}

function difficulty({ node }: ConsoleContext): string {
  const { blockchain } = node;
  const next = blockchain.nextDifficulty();
  return (
    `BH: ${blockchain.height}, TH: ${toHex(blockchain.topId)}, DIFF: ${next}, ` +
    `CUM_DIFF: ${blockchain.top.cumulativeDifficulty}, HR: ${next / 120n} H/s`
  );
}

function bans({ node }: ConsoleContext): string {
  const rows = node.p2p.bans().map((ban) => `${ban.host} banned for ${ban.seconds} seconds`);
  return rows.length === 0 ? 'No IPs are banned' : rows.join('\n');
}

function setLog(args: readonly string[], { levels }: ConsoleContext): string {
  levels.set(args[0] ?? '');
  return `Log categories are now: ${levels.categories}`;
}

/** What can be typed while the daemon runs. */
export const COMMANDS: readonly Command[] = [
  {
    names: ['help'],
    usage: 'help [command]',
    help: 'Show the commands, or one of them',
    run: ([name]) => helpText(name),
  },
  {
    names: ['status'],
    usage: 'status',
    help: 'Show the state of the node in one line',
    run: (_, c) => status(c),
  },
  {
    names: ['print_height'],
    usage: 'print_height',
    help: 'Show the height of the chain',
    run: (_, { node }) => String(node.blockchain.height),
  },
  {
    names: ['sync_info'],
    usage: 'sync_info',
    help: 'Show peers and the download queue',
    run: (_, c) => syncInfo(c),
  },
  {
    names: ['diff'],
    usage: 'diff',
    help: 'Show top block and difficulty',
    run: (_, c) => difficulty(c),
  },
  {
    names: ['print_cn'],
    usage: 'print_cn',
    help: 'Show the connections',
    run: (_, c) => connections(c),
  },
  { names: ['bans'], usage: 'bans', help: 'Show banned addresses', run: (_, c) => bans(c) },
  {
    names: ['ban'],
    usage: 'ban <ip> [seconds]',
    help: 'Ban an address or subnet, for a day by default',
    run: ([host = '', seconds = '86400'], { node }) =>
      /^\d+$/.test(seconds) && node.p2p.ban(host, Number(seconds))
        ? `${host} banned`
        : 'Invalid IP or time',
  },
  {
    names: ['unban'],
    usage: 'unban <ip>',
    help: 'Lift a ban',
    run: ([host = ''], { node }) =>
      node.p2p.unban(host) ? `${host} unbanned` : `${host} is not banned`,
  },
  {
    names: ['set_log'],
    usage: 'set_log <0-4> | <category:LEVEL,...>',
    help: 'Change what is logged',
    run: setLog,
  },
  {
    names: ['save'],
    usage: 'save',
    help: 'Write everything to disk',
    run: async (_, { node }) => {
      await node.blockchain.store.sync();
      return 'Blockchain saved';
    },
  },
  {
    names: ['pop_blocks'],
    usage: 'pop_blocks <count>',
    help: 'Take blocks off the top of the chain',
    run: async ([count = ''], { node }) => {
      if (!/^\d+$/.test(count)) return 'Usage: pop_blocks <count>';
      return `new height: ${await node.blockchain.popBlocks(Number(count))}`;
    },
  },
  { names: ['version'], usage: 'version', help: 'Show the version', run: () => VERSION_TEXT },
  {
    names: ['exit', 'stop_daemon'],
    usage: 'exit',
    help: 'Stop the daemon',
    run: (_, context) => {
      context.requestStop();
      return 'Stopping...';
    },
  },
];

export function commandNamed(name: string): Command | undefined {
  return COMMANDS.find((command) => command.names.includes(name));
}

export function helpText(name?: string): string {
  const shown = name === undefined ? COMMANDS : COMMANDS.filter((c) => c.names.includes(name));
  if (shown.length === 0) return `Unknown command: ${name}`;
  return shown.map((c) => `  ${c.usage.padEnd(40)} ${c.help}`).join('\n');
}
