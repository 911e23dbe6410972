import { parseArgs } from 'node:util';
import { stderrLogger } from '@monero-node/base';
import { startNode } from '@monero-node/devnet';
import { openPglite } from '../database/pglite.ts';
import { startExplorer } from '../explorer.ts';
import { NodeFollower } from '../node/follow-node.ts';
import { Player } from './player.ts';
import { readRecordedChain } from './recorded-chain.ts';

const CHAIN = new URL('../../../../apps/daemon-e2e/fixtures/chain.raw', import.meta.url);
const START = 1000;

const { values } = parseArgs({
  options: {
    port: { type: 'string', default: '8085' },
    host: { type: 'string', default: '127.0.0.1' },
    seconds: { type: 'string', default: '5' },
  },
});

const logger = stderrLogger();
const ending = new AbortController();
const net = await startNode();
const player = new Player(net, readRecordedChain(CHAIN));
const playing = player
  .play({ start: START, every: Number(values.seconds) * 1000, signal: ending.signal })
  .catch((error: unknown) => logger.error(`the demonstration: ${String(error)}`));
const explorer = await startExplorer(
  { host: values.host, port: Number(values.port) },
  {
    database: await openPglite(),
    logger,
    openSource: (tables) =>
      Promise.resolve(new NodeFollower({ client: net.rpc, logger, ...tables })),
  },
);
console.log(`The explorer shows a private chain at ${explorer.url}; Ctrl-C ends it.`);

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => {
    ending.abort();
    void playing
      .then(() => explorer.stop())
      .then(() => net.stop())
      .then(() => process.exit(0));
  });
}
