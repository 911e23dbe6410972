import type { Network } from '@monero-node/consensus';
import type { ZmqOptions } from '@monero-node/zmq';
import type { OptionReader } from './option-reader.ts';

/** Options without effect when ZeroMQ is off. */
const ZMQ_OPTIONS = [
  'zmq-rpc-bind-port',
  'zmq-rpc-bind-ip',
  'confirm-zmq-rpc-external-bind',
  'restricted-zmq-rpc',
  'zmq-pub',
];

/** Reads the options of ZeroMQ; returns undefined when it is off. */
export function zmqOptions(values: OptionReader, network: Network): ZmqOptions | undefined {
  if (values.flag('no-zmq')) return undefined;
  return {
    rpcBindIp: values.text('zmq-rpc-bind-ip') ?? '127.0.0.1',
    rpcBindPort: values.number('zmq-rpc-bind-port', network.ports.zmq),
    confirmExternalBind: values.flag('confirm-zmq-rpc-external-bind'),
    restricted: values.flag('restricted-zmq-rpc'),
    publishAt: values.list('zmq-pub'),
  };
}

/** Returns a sentence for each option that has no effect because of `--no-zmq`. */
export function zmqWarnings(values: OptionReader): string[] {
  if (!values.flag('no-zmq')) return [];
  return ZMQ_OPTIONS.filter((name) => values.has(name)).map(
    (name) => `--${name} has no effect because --no-zmq was specified`,
  );
}
