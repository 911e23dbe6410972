import { NEEDED, type OptionTable } from '@monero-node/base/options';
import { isIpv6, isLoopback, parseIp, unbracketed } from '@monero-node/p2p/hosts';
import { RpcOptionsError } from '@monero-node/rpc/settings';

/** Settings of the ZeroMQ interface. */
export interface ZmqOptions {
  /** Address of the RPC; IPv6 with or without brackets. Empty = all addresses. */
  readonly rpcBindIp: string;
  /** 0 lets the system choose (see `ZmqServer.rpcPort`). */
  readonly rpcBindPort: number;
  /** Allows an address other than loopback. */
  readonly confirmExternalBind: boolean;
  /** Hides what changes this node, and bounds what is costly. */
  readonly restricted: boolean;
  /** Where events are published: `tcp://ip:port` or `ipc://path`. None = nowhere. */
  readonly publishAt: readonly string[];
}

/** How the settings are checked. */
export const ZMQ_OPTIONS: OptionTable<ZmqOptions> = {
  rpcBindIp: NEEDED,
  rpcBindPort: NEEDED,
  confirmExternalBind: NEEDED,
  restricted: NEEDED,
  publishAt: NEEDED,
};

/**
 * Returns the address that the RPC listens at. Throws RpcOptionsError for a malformed address or one that needs a
 * confirmation.
 */
export function rpcAddress(options: ZmqOptions): string {
  const ip = unbracketed(options.rpcBindIp);
  const port = options.rpcBindPort === 0 ? '*' : String(options.rpcBindPort);
  if (ip !== '' && parseIp(ip) === undefined) {
    throw new RpcOptionsError('Invalid IP address given for --zmq-rpc-bind-ip');
  }
  if (!isLoopback(ip) && !options.confirmExternalBind) {
    throw new RpcOptionsError(
      `--zmq-rpc-bind-ip ${ip === '' ? '""' : ip} lets anybody who reaches it use this node, unencrypted. ` +
        'If that is intended, confirm it with --confirm-zmq-rpc-external-bind.',
    );
  }
  return `tcp://${ip === '' ? '*' : isIpv6(ip) ? `[${ip}]` : ip}:${port}`;
}
