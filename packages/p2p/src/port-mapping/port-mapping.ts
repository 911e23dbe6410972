import type { Logger } from '@monero-node/base';
import type { Network } from '@monero-node/consensus';
import { closedToPeers } from '../options/closed-to-peers.ts';
import type { P2pOptions } from '../options/options.ts';
import type { PortMappingState, PortProtocol } from './gateway.ts';
import type { PortMapper } from './port-mapper.ts';

export interface PortMappingDependencies {
  readonly network: Pick<Network, 'name'>;
  readonly listeners: { readonly port: number };
  readonly logger: Logger;
  /** For tests; by default the protocols of the option. */
  readonly protocols?: readonly PortProtocol[] | undefined;
}

/** The port of the router, where the option asks for one. The code that talks to routers is loaded only then. */
export class PortMapping {
  readonly #options: P2pOptions;
  readonly #deps: PortMappingDependencies;
  #mapper: PortMapper | undefined;

  constructor(options: P2pOptions, deps: PortMappingDependencies) {
    this.#options = options;
    this.#deps = deps;
  }

  /** Undefined when the router is not asked. */
  get state(): PortMappingState | undefined {
    return this.#mapper?.state;
  }

  /** Begins, if the option asks for it and anybody is to come in. The port must be listened on. */
  async start(): Promise<void> {
    const { externalPort, portMapping: mode } = this.#options;
    const { listeners, logger, network, protocols } = this.#deps;
    if (mode === undefined || closedToPeers(this.#options, network) !== undefined) return;
    const { PortMapper, protocolsOf } = await import('./port-mapper.ts');
    const internal = listeners.port;
    this.#mapper = new PortMapper({
      ports: { external: externalPort || internal, internal },
      protocols: protocols ?? protocolsOf(mode),
      logger,
    });
    this.#mapper.start();
  }

  /** Takes the port back, if the router answers in time. */
  async stop(): Promise<void> {
    await this.#mapper?.stop();
  }
}
