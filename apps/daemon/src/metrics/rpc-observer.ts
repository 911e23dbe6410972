import type { CallObserver } from '@monero-node/rpc';
import type { Instruments } from './instruments.ts';

/** Returns an observer that counts and measures RPC calls. */
export function rpcObserver({ requests, duration, bytes }: Instruments['rpc']): CallObserver {
  return (call) => {
    const { method, status } = call;
    const label = { method };
    requests.inc({ method, status });
    duration.observe(label, call.seconds);
    bytes.inc(label, call.bytes);
  };
}
