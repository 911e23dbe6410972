import { ClientUses, CLIENT_ORDERS, type ClientUse } from '../client-uses.ts';
import { RpcStatus } from '../errors.ts';
import type { HandlerOf, MethodRows } from '../method.ts';

/** Most clients of an answer. */
const MOST_CLIENTS = 1000;

/**
 * Returns the clients that have cost most. Throws RpcStatus when more than 1000 are asked for, or an order that there is not.
 */
const getTopClients: HandlerOf<'getTopClients'> = ({ count, order }, { services: { clients } }) => {
  if (count > MOST_CLIENTS) throw new RpcStatus(`At most ${MOST_CLIENTS} clients at a time`);
  const known = CLIENT_ORDERS.find((each) => each === order);
  if (known === undefined) throw new RpcStatus(`Ordered by ${CLIENT_ORDERS.join(', ')} only`);
  const uses = clients ?? new ClientUses(() => 0);
  const { calls, bytes, seconds } = uses.others;
  return {
    clients: uses.top(Number(count), known).map(clientRow),
    others: { bytes, calls, time: microseconds(seconds) },
    since: uses.since ?? 0,
  };
};

function clientRow({ host, calls, bytes, seconds }: ClientUse) {
  return { bytes, calls, host, time: microseconds(seconds) };
}

const microseconds = (seconds: number): number => Math.round(seconds * 1e6);

export const CLIENT_ROWS = {
  getTopClients: {
    handler: getTopClients,
    answeredBy: 'main',
    available: ({ clients }) => clients !== undefined,
  },
} satisfies Partial<MethodRows>;
