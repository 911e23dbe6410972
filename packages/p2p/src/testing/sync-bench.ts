import { EventEmitter } from 'node:events';
import { silentLogger } from '@monero-node/base';
import { settle } from '@monero-node/base/testing';
import { decodeMessage, toHex } from '@monero-node/codec';
import type { P2pEmitter } from '../contract/p2p-events.ts';
import { FrameReader } from '../levin/frame-reader.ts';
import { REQUEST_OBJECTS } from '../messages/blocks.ts';
import { REQUEST_CHAIN } from '../messages/chain.ts';
import { COMMANDS } from '../messages/commands.ts';
import { BanList } from '../peers/bans/bans.ts';
import { PeerList } from '../peers/list/peer-list.ts';
import { PeerSet } from '../peers/peer-set.ts';
import type { Peer } from '../peers/peer.ts';
import { ChainSync } from '../sync/chain-sync.ts';
import type { ChainSyncOptions } from '../sync/chain-sync.ts';
import { servedChain, servedObjects } from './served.ts';
import { ownSyncData } from '../serve/chain.ts';
import type { PeerSyncState } from '../sync/sync-peer.ts';
import { FakeChain } from './fake-chain.ts';
import { memoryPeer } from './memory-peer.ts';
import type { MemoryStream } from './memory-stream.ts';

/** A ChainSync with the parts it needs, and a longer chain to synchronize to. */
export class SyncBench {
  readonly chain = new FakeChain();
  readonly theirs = new FakeChain();
  readonly bans = new BanList(() => Date.now());
  readonly peers: PeerSet;
  readonly events: P2pEmitter = new EventEmitter();
  readonly sync: ChainSync;
  readonly log: string[] = [];

  constructor(options: Partial<ChainSyncOptions> = {}) {
    const list = new PeerList({ allowLocalIp: false });
    this.peers = new PeerSet({ bans: this.bans, list, logger: silentLogger });
    this.sync = new ChainSync(
      {
        noSync: false,
        offline: false,
        blockSyncSize: 20,
        blockDownloadMaxSize: 0,
        outPeers: () => 12,
        onlyExclusive: () => false,
        now: () => Date.now(),
        ...options,
      },
      { chain: this.chain, peers: this.peers, events: this.events, logger: silentLogger },
    );
    this.events.on('synchronized', () => void this.log.push('synchronized'));
    this.events.on('progress', ({ height, target }) => void this.log.push(`${height}/${target}`));
    this.sync.start();
  }

  /** Adds a peer that has the longer chain and has completed its handshake. */
  async peer(host = '9.9.9.9', changes: PeerChanges = {}): Promise<SyncTestPeer> {
    const peer = new SyncTestPeer(this, host, changes);
    this.peers.add(peer.peer);
    peer.peer.identify({ peerId: 5n });
    const { pruningSeed: pruning_seed = 0 } = changes;
    const data = { ...ownSyncData(this.theirs), pruning_seed };
    const refused = this.sync.onSyncData(peer.peer, data, true);
    if (refused !== undefined) throw new Error('the peer was refused');
    await settle();
    return peer;
  }
}

interface PeerChanges {
  pruningSeed?: number;
  anchor?: boolean;
}

interface Request {
  command: number;
  ids: string[];
  prune: boolean;
}

/** A peer whose requests a test reads and answers. */
export class SyncTestPeer {
  readonly stream: MemoryStream;
  readonly peer: Peer;
  readonly #bench: SyncBench;
  readonly #requests: Request[] = [];

  constructor(bench: SyncBench, host: string, changes: PeerChanges) {
    this.#bench = bench;
    const { anchor = false } = changes;
    const onClose = (closed: Peer): void => {
      bench.peers.delete(closed);
      bench.sync.onPeerClosed(closed);
    };
    const { peer, stream } = memoryPeer(host, { anchor, onClose });
    this.peer = peer;
    this.stream = stream;
  }

  get state(): PeerSyncState['state'] {
    return this.#bench.sync.stateOf(this.peer).state;
  }

  get score(): number {
    return this.#bench.sync.stateOf(this.peer).score;
  }

  /** Returns the requests received since the last call. */
  requests(): Request[] {
    const reader = new FrameReader({ maxPacket: () => 1e8, expectedResponse: () => undefined });
    const written = this.stream.take();
    if (written.length > 0) reader.push(written);
    for (let message = reader.next(); message; message = reader.next()) {
      const { command, body } = message;
      if (command === COMMANDS.requestObjects) {
        const { blocks, prune } = decodeMessage(REQUEST_OBJECTS, body);
        this.#requests.push({ command, ids: blocks.map(toHex), prune });
      } else {
        const { prune } = decodeMessage(REQUEST_CHAIN, body);
        this.#requests.push({ command, ids: [], prune });
      }
    }
    return this.#requests.splice(0);
  }

  async answerChain(): Promise<void> {
    const { sync, theirs } = this.#bench;
    const entry = await servedChain(theirs, { block_ids: [theirs.idAt(0)], prune: false });
    if (entry) await sync.onChainEntry(this.peer, entry);
    await settle();
  }

  async answerBlocks(ids: readonly string[], prune = false): Promise<void> {
    const { sync, theirs } = this.#bench;
    const blocks = ids.map((id) => Uint8Array.from(Buffer.from(id, 'hex')));
    await sync.onObjects(this.peer, await servedObjects(theirs, { blocks, prune }));
    await settle();
  }
}
