// Port mapping is written here, without a library: the one for Node reads datagrams of any host, ends the process at a short one, reads
// answers without a bound and does not take NAT-PMP mappings back.

/** TCP ports: that of the router, and the one of this machine to which it forwards. */
export interface PortPair {
  readonly external: number;
  readonly internal: number;
}

/** What a router says of a port that it forwards to this machine. */
export interface Mapping {
  /** The public address of the router; undefined when it does not say. */
  readonly externalHost: string | undefined;
  /** Seconds until it ends unless it is asked for again; 0: never. */
  readonly seconds: number;
}

/** Asks a router to forward a TCP port. */
export interface PortProtocol {
  /** As the option names it. */
  readonly name: 'upnp' | 'nat-pmp';
  /** Resolves when the port is forwarded, also when it already was. Rejects with GatewayError. */
  map(ports: PortPair, signal: AbortSignal): Promise<Mapping>;
  /** Takes it back, also after a `map` that was not waited for to its end; nothing when there is nothing. Rejects with GatewayError. */
  unmap(ports: PortPair, signal: AbortSignal): Promise<void>;
}

/** A router was not found, refused or sent nonsense; the message is for the user. */
export class GatewayError extends Error {
  override readonly name = 'GatewayError';
}

/** Seconds for which a port is asked for. A router forgets it after that when the node was killed. */
export const LEASE = 3600;

/** Whether the router forwards the port for peers to this machine. */
export type PortMappingState =
  | { readonly kind: 'trying' }
  | {
      readonly kind: 'mapped';
      readonly protocol: PortProtocol['name'];
      /** The public address of the router; undefined when it does not say. */
      readonly externalHost: string | undefined;
    }
  | { readonly kind: 'failed'; readonly why: string };
