// The options of libp2p. Apart from index.ts, so that a node without libp2p does not load what parses its addresses.
export {
  Libp2pOptionError,
  checkLibp2pListen,
  parseLibp2pPeer,
} from './libp2p/parse-multiaddress.ts';
