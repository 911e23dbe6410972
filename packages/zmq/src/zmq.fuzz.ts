import { silentLogger } from '@monero-node/base';
import { createServices } from '@monero-node/rpc/shared';
import { fakeControl, fakeP2p, recordedChain, recordedPool } from '@monero-node/rpc/testing';
import { ZmqEndpoint } from './endpoint.ts';
import { ZMQ_METHODS } from './methods/index.ts';
import { recordedZmq } from './testing/recorded-zmq.ts';

/** The error that the endpoint did not expect, as it logged it for the running input. */
let failure: string | undefined;
const { calls } = recordedZmq();
const endpoint = new ZmqEndpoint({
  services: createServices({
    blockchain: await recordedChain(),
    p2p: fakeP2p(),
    node: fakeControl(),
    logger: { ...silentLogger, error: (message: string) => (failure = message) },
    pool: recordedPool(),
    now: () => calls.now,
    transactions: {
      submit: () => Promise.resolve({ ok: false, notRelayed: true, flags: [], reason: '' }),
      relay: () => false,
      flush: () => Promise.resolve(0),
    },
  }),
  restricted: false,
  mining: {
    status: () => ({ active: false, speed: 0, threads: 0, address: '', background: false }),
    start: () => Promise.resolve('Failed, wrong address'),
    stop: () => Promise.resolve(true),
  },
  setLogLevel: () => undefined,
});

export const seeds = calls.calls.map(({ request }) => new TextEncoder().encode(request));
export const tokens = [
  ...ZMQ_METHODS.map(({ name }) => `"method":"${name}"`),
  ...['{"jsonrpc":"2.0","id":1,', '"params":{', '"', '[', ']', '{', '}', '18446744073709551615'],
  ...['-1', '1.5', 'null', 'true', `"${'0'.repeat(64)}"`],
];

/** A message is answered with JSON; no method throws what the endpoint does not expect. */
export async function fuzz(input: Uint8Array): Promise<void> {
  failure = undefined;
  const half = input.length >> 1;
  const answer = await endpoint.answer([input.subarray(0, half), input.subarray(half)]);
  if (failure !== undefined) throw new Error(failure);
  JSON.parse(Buffer.concat(answer.chunks).toString('utf8'));
}
