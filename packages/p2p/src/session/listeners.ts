import type { Logger } from '@monero-node/base';
import type { Libp2pTransport } from '../libp2p/transport.ts';
import { unknownAddress } from '../net/address.ts';
import type { NetAddress } from '../net/address.ts';
import type { HostPort } from '../net/parse-address.ts';
import type { P2pOptions } from '../options/options.ts';
import { createTcpTransport } from '../transport/tcp.ts';
import type { Transport, TransportListener, TransportStream } from '../transport/transport.ts';

type OnStream = (stream: TransportStream) => void;

/** The listening sockets: IPv4, IPv6, the ports to which hidden services forward, and libp2p. */
export class Listeners {
  readonly #options: P2pOptions;
  readonly #transport: Transport;
  readonly #logger: Logger;
  readonly #libp2p: Libp2pTransport | undefined;
  readonly #open: TransportListener[] = [];
  #addresses: HostPort[] = [];
  #publicPort = 0;

  /** @param deps.transport the transport of the public ports */
  constructor(
    options: P2pOptions,
    deps: { transport: Transport; libp2p: Libp2pTransport | undefined; logger: Logger },
  ) {
    this.#options = options;
    this.#transport = deps.transport;
    this.#libp2p = deps.libp2p;
    this.#logger = deps.logger;
  }

  /** The port for public peers: that of IPv4, otherwise that of IPv6; 0 while not listening. */
  get port(): number {
    return this.#publicPort;
  }

  /** Addresses listened on, without those of libp2p. */
  get addresses(): readonly HostPort[] {
    return this.#addresses;
  }

  /** Listens. Rejects when a required port cannot be listened on; all others are closed then. */
  async open(onStream: OnStream): Promise<void> {
    try {
      await this.#openPublic(onStream);
      for (const { inbound, zone } of this.#options.anonymityZones ?? []) {
        if (!inbound) continue;
        // The router connects from this machine; the address of the peer itself is unknown.
        const at = { host: inbound.bindIp, port: inbound.bindPort };
        await this.#listen(createTcpTransport(), at, (stream) =>
          onStream(withRemote(stream, unknownAddress(zone))),
        );
      }
      await this.#libp2p?.start(onStream);
    } catch (error) {
      await this.close();
      throw error;
    }
  }

  /** IPv4 is required unless `ignoreIpv4` is set; IPv6 is required only if IPv4 failed. */
  async #openPublic(onStream: OnStream): Promise<void> {
    const { bindIp, bindIpv6, bindPort, bindPortIpv6, ignoreIpv4, useIpv6 } = this.#options;
    let failure: unknown;
    try {
      const at = { host: bindIp, port: bindPort };
      this.#publicPort = await this.#listen(this.#transport, at, onStream);
    } catch (error) {
      if (!ignoreIpv4) throw error;
      failure = error;
      this.#logger.error(`cannot listen on IPv4: ${(error as Error).message}`);
    }
    if (!useIpv6) return;
    try {
      const at = { host: bindIpv6, port: bindPortIpv6 ?? bindPort, ipv6Only: true };
      const port = await this.#listen(this.#transport, at, onStream);
      this.#publicPort ||= port;
    } catch (error) {
      this.#logger.error(`cannot listen on IPv6: ${(error as Error).message}`);
      if (failure !== undefined) throw error;
    }
  }

  async #listen(
    transport: Transport,
    at: { host: string; port: number; ipv6Only?: boolean },
    onStream: OnStream,
  ): Promise<number> {
    const listener = await transport.listen(at, onStream);
    this.#open.push(listener);
    this.#addresses.push({ host: at.host, port: listener.port });
    this.#logger.info(`listening on ${at.host}:${listener.port}`);
    return listener.port;
  }

  async close(): Promise<void> {
    this.#publicPort = 0;
    this.#addresses = [];
    const closed = this.#open.splice(0).map((listener) => listener.close());
    await Promise.all([...closed, this.#libp2p?.stop()]);
  }
}

/** Returns the same stream with another remote address. */
function withRemote(stream: TransportStream, remote: NetAddress): TransportStream {
  return {
    remote,
    open: (handlers) => stream.open(handlers),
    write: (bytes) => stream.write(bytes),
    pause: () => stream.pause(),
    resume: () => stream.resume(),
    end: () => stream.end(),
    destroy: () => stream.destroy(),
  };
}
