import type { Logger } from '@monero-node/base';
import type { P2pNodeInfo } from '@monero-node/p2p';

/** Says whether the router forwards the port for peers, when that changes. It is asked so seldom that this needs no other bound. */
export class MappingNotice {
  readonly #p2p: Pick<P2pNodeInfo, 'reachability'>;
  readonly #logger: Logger;
  #said: string | undefined;

  constructor(p2p: Pick<P2pNodeInfo, 'reachability'>, logger: Logger) {
    this.#p2p = p2p;
    this.#logger = logger;
  }

  check(): void {
    const { mapping, port } = this.#p2p.reachability();
    if (mapping === undefined || mapping.kind === 'trying' || mapping.kind === this.#said) return;
    this.#said = mapping.kind;
    if (mapping.kind === 'mapped') {
      const { externalHost, protocol } = mapping;
      const at = externalHost === undefined ? '' : ` at ${externalHost}`;
      this.#logger.info(`The router${at} forwards TCP port ${port} to this machine (${protocol}).`);
      return;
    }
    this.#logger.warn(
      `--port-mapping: no router forwards TCP port ${port} to this machine (${mapping.why}). Turn port mapping on in the router, or forward the port there yourself and leave the option out. It is tried again every ten minutes.`,
    );
  }
}
