import { FairScheduler, silentLogger } from '@monero-node/base';
import { METHODS } from '../../methods/index.ts';
import { createServices } from '../../services.ts';
import { fakeControl, fakeP2p } from '../../testing/fake-node.ts';
import { recordedCalls, recordedChain, recordedPool } from '../../testing/recorded.ts';
import { dispatch } from './dispatch.ts';
import { localContext } from '../local-transport.ts';
import { routesOf } from './routes.ts';

/** Methods that change the chain, or ask other machines. */
const LEFT_OUT = /^(pop_blocks|generateblocks|set_bootstrap_daemon|update|save_bc|stop_daemon)$/;

/** The error of a handler that the gateway did not expect, as it logged it for the running input. */
let failure: string | undefined;
const services = createServices({
  blockchain: await recordedChain(),
  p2p: fakeP2p(),
  node: fakeControl(),
  logger: { ...silentLogger, error: (message: string) => (failure = message) },
  pool: recordedPool(),
  transactions: {
    submit: () => Promise.resolve({ ok: false, notRelayed: true, flags: [], reason: '' }),
    relay: () => false,
    flush: () => Promise.resolve(0),
  },
});
const methods = METHODS.filter(({ name }) => !LEFT_OUT.test(name));
const routes = routesOf(methods, services, false);
const scheduler = new FairScheduler();

/** An input is a path, a line feed and a body. */
export const seeds = recordedCalls()
  .filter(({ verb }) => verb === 'POST')
  .map(({ path, request, request_b64 }) =>
    Buffer.concat([
      Buffer.from(`${path}\n`),
      request_b64 === undefined ? Buffer.from(request ?? '') : Buffer.from(request_b64, 'base64'),
    ]),
  );
export const tokens = [
  ...[...routes.jsonPaths.keys(), ...routes.binaryPaths.keys()].map((path) => `${path}\n`),
  ...[...routes.names.keys()].map((name) => `/json_rpc\n{"method":"${name}","params":{`),
  ...['"params":{', '"params":[', '18446744073709551615', '-1', '"":', '[]', '{}', 'null'],
];

/** A request is answered; no handler throws what the gateway does not expect. */
export async function fuzz(input: Uint8Array): Promise<void> {
  const bytes = Buffer.from(input);
  const end = bytes.indexOf('\n');
  const context = localContext(services, scheduler.begin());
  failure = undefined;
  const path = bytes.subarray(0, Math.max(0, end)).toString('latin1');
  const { status } = await dispatch(path, bytes.subarray(end + 1), routes, context);
  if (failure !== undefined) throw new Error(failure);
  if (![200, 400, 404].includes(status)) {
    if (path !== '/json_rpc') throw new Error(`status ${status}`);
  }
}
