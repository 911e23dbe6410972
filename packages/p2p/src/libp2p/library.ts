// Everything that needs the libraries of libp2p; the transport loads it when it starts.
export { createHost } from './host.ts';
export { loadIdentityKey } from './identity-key.ts';
export { KnownPeers } from './known-peers.ts';
