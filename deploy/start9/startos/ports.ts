/** Ports that the node listens on, those of monerod. */
export const PORTS = { peers: 18080, rpc: 18081, zmq: 18083, onion: 18084, restricted: 18089 };

/** The SOCKS proxy of the package "tor": how that package names the host, and the port it listens on. */
export const TOR = { packageId: 'tor', hostId: 'socks', port: 9050 };
