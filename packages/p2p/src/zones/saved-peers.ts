import type { Logger } from '@monero-node/base';
import type { PeerFile } from '../peers/list/peer-file.ts';
import type { Zones } from './zones.ts';

/** Keeps the peer lists of all zones over restarts. Problems with the file are logged, never thrown. */
export class SavedPeers {
  readonly #deps: { file: PeerFile; zones: Zones; logger: Logger };

  constructor(deps: { file: PeerFile; zones: Zones; logger: Logger }) {
    this.#deps = deps;
  }

  async load(): Promise<void> {
    const { file, logger, zones } = this.#deps;
    try {
      const saved = await file.load();
      if (saved) zones.restore(saved);
    } catch (error) {
      logger.warn(`starting without known peers: ${String(error)}`);
    }
  }

  async save(): Promise<void> {
    const { file, logger, zones } = this.#deps;
    try {
      await file.save(zones.snapshot());
    } catch (error) {
      logger.warn(`the peer lists were not saved: ${String(error)}`);
    }
  }
}
