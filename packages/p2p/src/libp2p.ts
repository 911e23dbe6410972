// The options of libp2p. Apart from index.ts, so that a node without libp2p does not load what parses its addresses.
export { Libp2pOptionError } from './libp2p/option-error.ts';
export { checkLibp2pListen, parseLibp2pPeer } from './libp2p/parse-multiaddress.ts';
