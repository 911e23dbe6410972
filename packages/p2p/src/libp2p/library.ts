// Everything that needs the libraries of libp2p; loadLibp2p loads it.
export { createHost } from './host.ts';
export { loadIdentityKey } from './identity-key.ts';
export { KnownPeers } from './known-peers.ts';
