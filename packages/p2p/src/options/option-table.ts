import { NEEDED, OPTIONAL, optionalNames, type OptionTable } from '@monero-node/base/options';
import { SOCKS_OPTIONS } from '../net/socks-options.ts';
import {
  DEFAULT_P2P_OPTIONS,
  PORT_MAPPING_MODES,
  type Libp2pOptions,
  type P2pNodeOptions,
} from './options.ts';
import { ANONYMITY_ZONES, type AnonymityZoneOptions } from './zone-options.ts';

// Apart from options.ts, which `--help` loads.

const LIBP2P: OptionTable<Libp2pOptions> = { listen: NEEDED, peers: NEEDED, mdns: NEEDED };

/** The options of one anonymity network. */
export const ZONE_OPTIONS: OptionTable<AnonymityZoneOptions> = {
  zone: { choices: ANONYMITY_ZONES },
  proxy: { optional: true, table: SOCKS_OPTIONS },
  outPeers: NEEDED,
  noise: NEEDED,
  inbound: OPTIONAL,
};

/** The options of `createP2pNode`. */
export const P2P_OPTIONS: OptionTable<P2pNodeOptions> = {
  ...optionalNames(DEFAULT_P2P_OPTIONS),
  bindPort: OPTIONAL,
  startsSynchronized: OPTIONAL,
  allowLoopback: OPTIONAL,
  padTransactions: OPTIONAL,
  syncPrunedBlocks: OPTIONAL,
  dataDir: OPTIONAL,
  banList: OPTIONAL,
  dnsBlocklist: OPTIONAL,
  proxy: { optional: true, table: SOCKS_OPTIONS },
  proxyAllowDnsLeaks: OPTIONAL,
  anonymityZones: OPTIONAL,
  useIpv6: OPTIONAL,
  bindPortIpv6: OPTIONAL,
  ignoreIpv4: OPTIONAL,
  portMapping: { optional: true, choices: PORT_MAPPING_MODES },
  libp2p: { optional: true, table: LIBP2P },
};
