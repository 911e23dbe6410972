import type { Blockchain } from '@monero-node/blockchain';
import type { P2pNode } from '@monero-node/p2p';
import { unbracketed } from '@monero-node/p2p/hosts';
import type { RpcServer } from '@monero-node/rpc';
import type { StratumServer } from '@monero-node/stratum';
import type { ZmqServer } from '@monero-node/zmq';
import type { DaemonSettings } from '../cli/daemon-settings.ts';
import { listenLines, type ListenFacts } from './listen-lines.ts';

/** How the RPC reports that there is no limit. */
const UNLIMITED = 4_294_967_295;

/** The parts of a started node that the lines are about. */
interface StartedNode {
  readonly blockchain: Pick<Blockchain, 'height'>;
  readonly p2p: Pick<P2pNode, 'listenAddresses' | 'libp2pAddresses' | 'outPeers' | 'inPeers'>;
  readonly rpc: Pick<RpcServer, 'addresses'>;
  readonly zmq: Pick<ZmqServer, 'rpcPort' | 'publishedAt'> | undefined;
  readonly stratum: Pick<StratumServer, 'port'> | undefined;
}

const count = (peers: number): string => (peers === UNLIMITED ? 'any number' : String(peers));

/** Returns where a started node listens. */
function listenFacts({ p2p, zmq, stratum }: DaemonSettings, node: StartedNode): ListenFacts {
  return {
    offline: p2p.offline,
    p2p: node.p2p.listenAddresses,
    rpc: node.rpc.addresses,
    zmq: zmq && {
      rpc: { host: unbracketed(zmq.rpcBindIp), port: node.zmq?.rpcPort ?? 0 },
      restricted: zmq.restricted,
      events: node.zmq?.publishedAt ?? [],
    },
    stratum: stratum && { host: unbracketed(stratum.bindIp), port: node.stratum?.port ?? 0 },
    libp2p: node.p2p.libp2pAddresses,
  };
}

/** Returns the lines of the log that end the start of a node. */
export function startedLines(settings: DaemonSettings, node: StartedNode): string[] {
  const { nettype } = settings.network;
  const { outPeers, inPeers } = node.p2p;
  return [
    `${nettype} node started at height ${node.blockchain.height}`,
    ...listenLines(listenFacts(settings, node)),
    ...(settings.p2p.offline
      ? []
      : [`Peers wanted: ${count(outPeers)} outgoing, ${count(inPeers)} incoming`]),
    ...(settings.interactive ? ['Type "help" for a list of commands.'] : []),
  ];
}
