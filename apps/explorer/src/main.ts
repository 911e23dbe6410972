import { parseArgs } from 'node:util';
import { stderrLogger } from '@monero-node/base';
import { connectEvents, defaultNaming, EventStream } from '@monero-node/events';
import { RpcClient } from '@monero-node/rpc-client';
import { checkTables } from './check/check.ts';
import { openPostgres } from './database/postgres.ts';
import { startExplorer, type ExplorerParts } from './explorer.ts';
import { NodeFollower } from './node/follow-node.ts';
import { networkOf, WrongNetworkError } from './store/network.ts';

const HELP = `Usage: node apps/explorer/dist/main.js [check] --database URL (--nats URL | --node URL)

  --database URL   postgres://user:password@host/name, or postgres://user@/name?host=/folder; or EXPLORER_DATABASE
  --nats URL       the broker with the stream of events of a node
  --network NAME   whose stream: mainnet (default), stagenet, testnet or regtest
  --node URL       ask the RPC of a node instead, or for check
  --host, --port   where the pages are served: 127.0.0.1, 8085

check compares the tables with the answers of a node.`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    database: { type: 'string', default: process.env['EXPLORER_DATABASE'] ?? '' },
    nats: { type: 'string' },
    network: { type: 'string', default: 'mainnet' },
    node: { type: 'string' },
    host: { type: 'string', default: '127.0.0.1' },
    port: { type: 'string', default: '8085' },
    help: { type: 'boolean', default: false },
  },
});
const logger = stderrLogger();
const { nats, node, network } = values;

/** Returns what fills the tables: the stream of events of a network, or the answers of a node. Throws WrongNetworkError. */
function source(): ExplorerParts['openSource'] {
  if (nats !== undefined) return natsSource(nats);
  const client = new RpcClient({ url: node ?? '' });
  return (tables) => Promise.resolve(new NodeFollower({ client, logger, ...tables }));
}

/** Connects the tables with the stream of events; resolves once the broker is there. Throws WrongNetworkError. */
function natsSource(servers: string): ExplorerParts['openSource'] {
  const chosen = networkOf(network);
  return async ({ chain, pool }) => {
    await chain.checkNetwork(chosen);
    const connection = await connectEvents({
      servers,
      name: 'monero-explorer',
      onFailure: (error) => logger.warn(`the broker: ${String(error)}; trying again`),
    });
    const stream = new EventStream(defaultNaming(chosen.name), {
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
  };
}

/** Ends with a message. Status 2: another network is wanted than there is. */
function refuse(error: unknown): never {
  console.error(error instanceof Error ? error.message : String(error));
  process.exit(error instanceof WrongNetworkError ? 2 : 1);
}

if (values.help || values.database === '' || (nats ?? node) === undefined) {
  console.log(HELP);
  process.exitCode = values.help ? 0 : 2;
} else if (positionals[0] === 'check') {
  const database = openPostgres(values.database);
  if (!(await checkTables(database, node ?? ''))) process.exitCode = 1;
  await database.close();
} else {
  const database = openPostgres(values.database);
  try {
    const explorer = await startExplorer(
      { host: values.host, port: Number(values.port) },
      { database, logger, openSource: source() },
    );
    console.log(`The explorer is at ${explorer.url}`);
    for (const signal of ['SIGINT', 'SIGTERM'] as const) {
      process.once(signal, () => void explorer.stop().then(() => process.exit(0)));
    }
  } catch (error) {
    refuse(error);
  }
}
