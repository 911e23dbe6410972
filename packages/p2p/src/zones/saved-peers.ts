import type { Logger } from '@monero-node/base';
import type { PeerFile } from '../peers/list/peer-file.ts';
import type { IncomingRecord } from './incoming-record.ts';
import type { Zones } from './zones.ts';

export interface SavedPeersDependencies {
  readonly file: PeerFile;
  readonly zones: Zones;
  readonly incoming: IncomingRecord;
  readonly logger: Logger;
}

/**
 * Keeps the peer lists of all zones, and when anybody came in, over restarts. Problems with the file are logged, never thrown.
 */
export class SavedPeers {
  readonly #deps: SavedPeersDependencies;

  constructor(deps: SavedPeersDependencies) {
    this.#deps = deps;
  }

  async load(): Promise<void> {
    const { file, incoming, logger, zones } = this.#deps;
    try {
      const saved = await file.load();
      if (saved === undefined) return;
      zones.restore(saved.lists);
      incoming.restore(saved.incoming);
    } catch (error) {
      logger.warn(`starting without known peers: ${String(error)}`);
    }
  }

  async save(): Promise<void> {
    const { file, incoming, logger, zones } = this.#deps;
    try {
      await file.save({ lists: zones.snapshot(), incoming: incoming.times() });
    } catch (error) {
      logger.warn(`the peer lists were not saved: ${String(error)}`);
    }
  }
}
