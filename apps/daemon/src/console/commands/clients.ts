import type { ReplyOf } from '@monero-node/rpc-client';
import { command, CommandSyntaxError, expectCount, type CommandContext } from '../command.ts';
import { timestamp } from '../format.ts';

const ORDERS = ['time', 'calls', 'bytes'];
/** Clients that are shown. */
const SHOWN = 20;

type TopClients = ReplyOf<'names', 'get_top_clients'>;

/** Returns a line for each of the clients that have cost most, and when counting began. */
async function topClients(args: readonly string[], { daemon }: CommandContext): Promise<string> {
  expectCount(args, 0, 1);
  const [order = 'time'] = args;
  if (!ORDERS.includes(order))
    throw new CommandSyntaxError(`clients are ordered by ${ORDERS.join(', ')}`);
  const { clients, others, since } = await daemon.rpc('get_top_clients', { count: SHOWN, order });
  if (since === 0n)
    return 'No client has called. They are counted with --rpc-client-log, and while the page is open.';
  return [
    ...clients.map((client) => `${client.host}: ${figures(client)}`),
    ...(others.calls > 0n ? [`Others that are no longer listed: ${figures(others)}`] : []),
    `Counted since ${timestamp(Number(since))}`,
  ].join('\n');
}

const figures = ({ calls, bytes, time }: TopClients['others']): string =>
  `${calls} calls, ${bytes} bytes, ${(Number(time) / 1e6).toFixed(1)} s`;

/** Shows the RPC clients that cost most. */
export const CLIENTS_COMMAND = command(
  'top_clients [time|calls|bytes]',
  'Show the RPC clients that have cost most: the time of their calls, their number or the bytes sent.',
  topClients,
);
