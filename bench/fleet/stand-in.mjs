// A small process that answers as a node of a fleet does: at /health/ready and /health/fleet with the code of the node, at every other
// path with a short answer. It asks the others as a node does.
//
//   node stand-in.mjs ADDRESS PORT NAME DNS_PORT
//
// At /counts it says how often it was asked what, and how often it has asked others.
import { createServer } from 'node:http';
import { Resolver } from 'node:dns/promises';
import { argv } from 'node:process';
import { silentLogger } from '@monero-node/base';
import { FleetWatch } from '../../packages/node/dist/fleet/fleet-watch.js';
import { resolveNodes } from '../../packages/node/dist/fleet/resolve-nodes.js';
import { LOOPBACK } from '../programs.mjs';

const [address = '', port = '', host = '', dns = ''] = argv.slice(2);
/** Bytes of the answer to a wallet's refresh that finds no block, with its headers, as suite 53 counted them. */
const ANSWER = JSON.stringify({ status: 'OK', height: 3_000_000, padding: 'x'.repeat(600) });
const TIP = { height: 3_000_000, id: '7'.repeat(64), work: 2n ** 60n };

const resolver = () => {
  const one = new Resolver({ timeout: 2000, tries: 2 });
  one.setServers([`${LOOPBACK}:${dns}`]);
  return one;
};
const watch = new FleetWatch({
  nodes: [{ host, port: Number(port) }],
  logger: silentLogger,
  resolve: (node, stop) =>
    resolveNodes(node, { resolver: resolver(), lookup: () => Promise.resolve([]) }, stop),
});
const counts = { ready: 0, fleet: 0, wallets: 0 };

const server = createServer((request, response) => {
  if (request.url === '/health/ready') {
    counts.ready++;
    response.end('{"status":"ready"}');
  } else if (request.url === '/health/fleet') {
    counts.fleet++;
    const text = watch.answer({ isReady: true, tip: TIP });
    response.setHeader('Content-Length', Buffer.byteLength(text)).end(text);
  } else if (request.url === '/counts') {
    response.end(JSON.stringify({ ...watch.figures, ...counts }));
  } else {
    counts.wallets++;
    response.setHeader('Content-Length', ANSWER.length).end(ANSWER);
  }
});
server.keepAliveTimeout = 65_000;
server.listen(Number(port), address);
await watch.start();
