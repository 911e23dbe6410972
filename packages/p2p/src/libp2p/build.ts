import type { Logger } from '@monero-node/base';
import type { ChainForP2p } from '../chain.ts';
import type { BanList } from '../peers/bans.ts';
import type { P2pOptions } from '../types.ts';
import { Doorkeeper } from './doorkeeper.ts';
import { Libp2pTransport } from './transport.ts';

/** The libp2p side of a node; undefined unless the options ask for it. @throws Libp2pOptionError */
export function libp2pTransport(
  options: Pick<P2pOptions, 'dataDir' | 'libp2p' | 'maxConnectionsPerIp'>,
  deps: { chain: ChainForP2p; bans: BanList; logger: Logger },
): Libp2pTransport | undefined {
  const { dataDir, libp2p, maxConnectionsPerIp } = options;
  if (!libp2p) return undefined;
  return new Libp2pTransport({
    dataDir,
    listen: libp2p.listen,
    peers: libp2p.peers,
    // Nodes of other networks are not to find each other.
    mdnsTag: libp2p.mdns ? `_monero-${deps.chain.network.name}._udp.local` : undefined,
    door: new Doorkeeper(deps.bans, maxConnectionsPerIp),
    logger: deps.logger,
  });
}
