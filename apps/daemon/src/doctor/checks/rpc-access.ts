import { isLoopback } from '@monero-node/p2p/hosts';
import { resolveTls } from '@monero-node/rpc/settings';
import type { DaemonSettings } from '../../cli/daemon-settings.ts';
import { reach, shownAddress } from '../../banner/listen-lines.ts';
import { failure, note, ok, together, warning, type Outcome } from '../finding.ts';
import { rpcHosts } from '../listeners.ts';
import type { Check } from '../patient.ts';

/** Whether strangers can control the node, or read what is meant for its owner. */
export const RPC_ACCESS_CHECK: Check = {
  id: 'rpc-access',
  run: ({ settings }) =>
    together([ownerPort(settings), zmqPort(settings), metricsPort(settings)].flat()),
};

function ownerPort(settings: DaemonSettings): Outcome {
  const { rpc, rpcLogin } = settings;
  const open = rpcHosts(settings).owner.filter((host) => !isLoopback(host));
  if (rpc.restrictedRpc === true) return ok('the RPC is restricted');
  if (open.length === 0) return ok("the owner's RPC is reached from this machine only");
  const addresses = open
    .map((host) => `${shownAddress({ host, port: rpc.bindPort })} (${reach(host)})`)
    .join(', ');
  const tls = resolveTls(rpc.tls);
  if (tls?.clients !== undefined) return ok(`the owner's RPC at ${addresses} wants a certificate`);
  if (rpcLogin === undefined)
    return failure(
      `whoever reaches ${addresses} controls this node: its RPC is not restricted and wants no login`,
      'Listen on 127.0.0.1, or set --rpc-login-file and --rpc-ssl enabled; for wallets of others there is --rpc-restricted-bind-port.',
    );
  if (tls === undefined)
    return warning(
      `the owner's RPC at ${addresses} wants a login, but everything can be read and changed on the way`,
      'Leave out --rpc-ssl disabled, or reach the RPC through an SSH tunnel.',
    );
  if (tls.mode === 'autodetect')
    return note(
      `the owner's RPC at ${addresses} wants a login, and also takes connections without TLS`,
      'With --rpc-ssl enabled it takes none.',
    );
  return ok(`the owner's RPC at ${addresses} wants a login, over TLS`);
}

/** ZeroMQ has no login. */
function zmqPort({ zmq }: DaemonSettings): Outcome[] {
  if (zmq === undefined || isLoopback(zmq.rpcBindIp)) return [];
  const address = shownAddress({ host: zmq.rpcBindIp, port: zmq.rpcBindPort });
  if (zmq.restricted) return [ok(`the RPC of ZeroMQ at ${address} is restricted`)];
  return [
    failure(
      `whoever reaches ${address} (${reach(zmq.rpcBindIp)}) controls this node over ZeroMQ, which has no login`,
      'Listen on 127.0.0.1 (--zmq-rpc-bind-ip), set --restricted-zmq-rpc, or turn it off with --no-zmq.',
    ),
  ];
}

/** Nor have the metrics, which show the transactions and peers of the owner. */
function metricsPort({ metrics }: DaemonSettings): Outcome[] {
  if (metrics === undefined || reach(metrics.bindIp) !== 'public') return [];
  return [
    warning(
      `the metrics at ${shownAddress({ host: metrics.bindIp, port: metrics.bindPort })} (public) have no login`,
      'Choose an address of the local network with --metrics-bind-ip.',
    ),
  ];
}
