// What the transport loads when it starts: everything that needs the libraries of libp2p.
export { createHost } from './host.ts';
export { loadIdentityKey } from './identity-key.ts';
export { KnownPeers } from './known-peers.ts';
