import type { Logger } from '@monero-node/base';
import { connectEvents, defaultNaming, EventStream } from '@monero-node/events';
import type { Source } from './explorer.ts';
import type { ChainTables } from './store/chain-tables.ts';
import type { PoolTable } from './store/pool-table.ts';

export interface NatsOptions {
  /** `nats://HOST:PORT`. */
  readonly servers: string;
  /** mainnet, stagenet, testnet or regtest. */
  readonly network: string;
  readonly logger: Logger;
}

/** Connects the tables with the stream of events of a network; resolves once the broker is there. */
export async function openNatsSource(
  { servers, network, logger }: NatsOptions,
  { chain, pool }: { readonly chain: ChainTables; readonly pool: PoolTable },
): Promise<Source> {
  const connection = await connectEvents({
    servers,
    name: 'monero-explorer',
    onFailure: (error) => logger.warn(`the broker: ${String(error)}; trying again`),
  });
  const stream = new EventStream(defaultNaming(network), {
    connection,
    handler: chain,
    pool,
    logger,
  });
  return {
    start: () => stream.start(),
    async stop() {
      await stream.stop();
      await connection.close();
    },
  };
}
