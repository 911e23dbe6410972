// A member of a fleet that can lie. It answers at /health/fleet with the code of the node: as one that is not ready or, after SIGUSR2 and until
// the next one, as one that is ready with a chain that nobody else has.
//
//   node lying-member.mjs ADDRESS PORT
import { createServer } from 'node:http';
import { argv } from 'node:process';
import { silentLogger } from '@monero-node/base';

// No export of the package, but what the daemon of these suites runs.
const watchModule = new URL('../../../../packages/node/dist/fleet/fleet-watch.js', import.meta.url);
const { FleetWatch } = await import(watchModule.href);

const [address = '', port = ''] = argv.slice(2);
const TRUTH = { isReady: false, tip: { height: 1, id: '0'.repeat(64), work: 1n } };
const LIE = { isReady: true, tip: { height: 999_999, id: '9'.repeat(64), work: 2n ** 100n } };

const watch = new FleetWatch({ nodes: [], logger: silentLogger });
let said = TRUTH;
process.on('SIGUSR2', () => {
  said = said === TRUTH ? LIE : TRUTH;
});
createServer((_, response) => {
  const text = watch.answer(said);
  response.setHeader('Content-Length', Buffer.byteLength(text)).end(text);
}).listen(Number(port), address);
