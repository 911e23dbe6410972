import type { Logger } from '@monero-node/base';
import { isHidden } from '../net/address.ts';
import type { AdjustableLimits } from '../options/adjustable-limits.ts';
import type { P2pOptions } from '../options/options.ts';
import type { PeerSet } from '../peers/peer-set.ts';
import type { Listeners } from './listeners.ts';

export interface IncomingCheckDependencies {
  readonly peers: PeerSet;
  readonly limits: AdjustableLimits;
  readonly listeners: Listeners;
  readonly logger: Logger;
}

/** Warns the user when no peer connects to this node. */
export class IncomingCheck {
  readonly #isDisabled: boolean;
  readonly #deps: IncomingCheckDependencies;

  constructor(options: Pick<P2pOptions, 'hideMyPort' | 'proxy'>, deps: IncomingCheckDependencies) {
    this.#isDisabled = options.hideMyPort || options.proxy !== undefined;
    this.#deps = deps;
  }

  check(): void {
    const { limits, listeners, logger, peers } = this.#deps;
    if (peers.count((peer) => peer.incoming && !isHidden(peer.address)) > 0) return;
    if (this.#isDisabled || limits.inPeers === 0)
      logger.info('incoming connections are disabled; allowing them helps the network');
    else
      logger.warn(
        `no incoming connections: check that firewalls let port ${listeners.port} through`,
      );
  }
}
