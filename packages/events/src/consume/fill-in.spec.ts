import { toHex } from '@monero-node/codec';
import type { NatsConnection } from '@nats-io/transport-node';
import { exampleId } from '../testing/example-block.ts';
import { ChainState } from './chain-state.ts';
import { fillIn } from './fill-in.ts';
import type { ChainHandler } from './handlers.ts';

const nothing: ChainHandler = {
  tip: () => Promise.resolve(undefined),
  apply: () => Promise.resolve(),
  revert: () => Promise.resolve(),
};

test('does not wait for an answer when the signal is aborted', async () => {
  let requests = 0;
  const silent = {
    request: () => {
      requests++;
      return new Promise(() => undefined);
    },
  } as unknown as NatsConnection;
  const aborter = new AbortController();
  const ended = fillIn(new ChainState(nothing), silent, {
    subject: 'blocks',
    target: { height: 5, id: toHex(exampleId(5)), cumulativeDifficulty: 6n },
    sequence: 6,
    from: 0,
    signal: aborter.signal,
  });
  await new Promise(setImmediate);
  expect(requests).toBe(1);
  aborter.abort();
  await expect(ended).rejects.toThrow('stopped');
});
