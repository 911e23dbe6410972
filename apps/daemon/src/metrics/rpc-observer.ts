import type { OnCall } from '@monero-node/rpc';
import type { Instruments } from './instruments.ts';

/** Returns an observer that counts and measures RPC calls. */
export function rpcObserver({ requests, duration, bytes }: Instruments['rpc']): OnCall {
  return (call) => {
    const { method, status } = call;
    const label = { interface: call.interface, method };
    requests.inc({ ...label, status });
    duration.observe(label, call.secondsToAnswer);
    bytes.inc(label, call.bytes);
  };
}
