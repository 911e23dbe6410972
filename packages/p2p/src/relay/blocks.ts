import { MachineError, type Logger } from '@monero-node/base';
import { tryParseBlock, WorkDeclinedError, type AddBlockResult } from '@monero-node/blockchain';
import { bytesEqual, encodeMessage, toHex } from '@monero-node/codec';
import type { ParsedBlock, ParsedTransaction } from '@monero-node/codec';
import { BLOCK_SIZE_LEEWAY, CONSENSUS_ERROR_SENTENCES } from '@monero-node/consensus';
import type { P2pEmitter } from '../contract/p2p-events.ts';
import { NEW_BLOCK, REQUEST_FLUFFY_MISSING } from '../messages/blocks.ts';
import type { NewBlock } from '../messages/blocks.ts';
import { COMMANDS } from '../messages/commands.ts';
import { formatPeerAddress, isHidden } from '../net/address.ts';
import { pointsForBlock } from '../peers/bans/error-penalties.ts';
import type { PeerSet } from '../peers/peer-set.ts';
import type { Peer } from '../peers/peer.ts';
import { Violation } from '../peers/bans/violation.ts';
import type { ChainSync } from '../sync/chain-sync.ts';
import type { ChainForP2p } from '../contract/chain-for-p2p.ts';
import { decodeSent, sentBlobs, SentTransactionsError } from './sent-transactions.ts';
import type { PoolForP2p } from '../contract/pool-for-p2p.ts';

/** Addresses behind which a proxy may hide any number of hosts. */
const PROXIES: ReadonlySet<string> = new Set(['127.0.0.1', '::1']);

/** A new block, and what became of it. */
interface HandledBlock {
  readonly parsed: ParsedBlock;
  readonly result: AddBlockResult;
  readonly height: number;
  /** Hex ids of the transactions that came with it, if they were decoded. */
  readonly sentIds: ReadonlySet<string>;
}

/**
 * Receives new blocks and relays them.
 * Source: handle_notify_new_fluffy_block and relay_block in src/cryptonote_protocol/cryptonote_protocol_handler.inl
 */
export class BlockRelay {
  readonly #chain: ChainForP2p;
  readonly #peers: PeerSet;
  readonly #sync: ChainSync;
  readonly #events: P2pEmitter;
  readonly #logger: Logger;
  readonly #pool: PoolForP2p | undefined;

  constructor(deps: {
    chain: ChainForP2p;
    peers: PeerSet;
    sync: ChainSync;
    events: P2pEmitter;
    logger: Logger;
    pool?: PoolForP2p | undefined;
  }) {
    this.#chain = deps.chain;
    this.#peers = deps.peers;
    this.#sync = deps.sync;
    this.#events = deps.events;
    this.#logger = deps.logger;
    this.#pool = deps.pool;
  }

  /** Handles a new block, with all, some or none of its transactions. Never rejects because of the peer. */
  async onNewBlock(peer: Peer, message: NewBlock): Promise<void> {
    if (this.#sync.stateOf(peer).state !== 'normal' || !this.#sync.synchronized) {
      this.#sync.onAnnouncedMeanwhile(peer, message.current_blockchain_height);
      return;
    }
    const parsed = await this.#check(peer, message);
    if (parsed instanceof Violation) {
      this.#peers.drop(peer, parsed.reason, parsed.penalty);
      return;
    }
    const blobs = sentBlobs(parsed, message, this.#sizeLimit);
    if (blobs instanceof Violation) {
      this.#peers.drop(peer, blobs.reason, blobs.penalty);
      return;
    }
    const sentIds = new Set<string>();
    const decode = async () => {
      const yielder = peer.connection.newYielder();
      const sent = await decodeSent(this.#chain.network, parsed, blobs, yielder);
      for (const { id } of sent) sentIds.add(toHex(id));
      return sent;
    };
    const result = await this.#verify(peer, parsed, decode);
    if (result instanceof WorkDeclinedError) {
      // Too many blocks wait, or the peer has left. A block of a side chain may come again.
      const isNext = bytesEqual(parsed.block.prevId, this.#chain.top.id);
      if (result.code === 'busy' && isNext) this.#sync.resync(peer);
      return;
    }
    if (result instanceof Violation) {
      this.#peers.drop(peer, result.reason, result.penalty);
      return;
    }
    if (result === undefined) {
      // Synchronization offers the block again, at growing intervals.
      this.#sync.resync(peer);
      return;
    }
    const height = coinbaseHeight(parsed);
    this.#logger.debug(`block ${toHex(parsed.id)} from ${peer}: ${result.status}`);
    this.#afterwards(peer, message, { parsed, result, height, sentIds });
  }

  /**
   * Verifies a block: its proof of work before the transactions that came with it are decoded. Returns undefined when
   * this machine fails, and WorkDeclinedError when it has no time, which says nothing about the block.
   */
  async #verify(
    peer: Peer,
    block: ParsedBlock,
    decodeSent: () => Promise<readonly ParsedTransaction[]>,
  ): Promise<AddBlockResult | Violation | WorkDeclinedError | undefined> {
    this.#events.emit('verifying', true);
    try {
      return await this.#chain.addBlock(
        { block, txs: [] },
        {
          origin: formatPeerAddress(peer.address),
          client: { host: hostOf(peer), isGone: () => peer.connection.closed },
          decodeSent,
          findTransaction: (id) => this.#pool?.transactionBlob(id),
        },
      );
    } catch (error) {
      if (error instanceof SentTransactionsError) return error.violation;
      if (error instanceof WorkDeclinedError) return error;
      if (!(error instanceof MachineError)) throw error;
      this.#logger.error(`adding a new block failed: ${error.stack ?? error.message}`);
      return undefined;
    } finally {
      this.#events.emit('verifying', false);
    }
  }

  /** Bytes. */
  get #sizeLimit(): number {
    return this.#chain.weightState().limit + BLOCK_SIZE_LEEWAY;
  }

  async #check(peer: Peer, message: NewBlock): Promise<ParsedBlock | Violation> {
    const { block } = message.b;
    if (block.length > this.#sizeLimit) return new Violation('a new block that is too large', 0);
    const parsed = await tryParseBlock(this.#chain.network, block, peer.connection.newYielder());
    if (!parsed) return new Violation('a new block that does not decode', 0);
    if (new Set(parsed.block.txHashes.map(toHex)).size !== parsed.block.txHashes.length)
      return new Violation('a new block with duplicate transactions', 0);
    return parsed;
  }

  #afterwards(
    peer: Peer,
    message: NewBlock,
    { parsed, result, height, sentIds }: HandledBlock,
  ): void {
    switch (result.status) {
      case 'added':
      case 'reorganized':
        this.#send(message.b.block, height, (other) => other !== peer);
        this.#learnHeight(peer, message, height);
        return;
      case 'known':
        this.#learnHeight(peer, message, height);
        return;
      case 'alternative':
        return;
      case 'orphan':
        this.#sync.resync(peer);
        return;
      case 'missing-txs':
        this.#askForTransactions(peer, { parsed, result, height, sentIds });
        return;
      case 'invalid': {
        const { code } = result.error;
        const sentence = CONSENSUS_ERROR_SENTENCES[code];
        const reason = `invalid block ${toHex(parsed.id)}: ${sentence}`;
        this.#peers.drop(peer, reason, pointsForBlock(code));
        if (code === 'timestamp-too-new') this.#events.emit('futureBlock');
      }
    }
  }

  /**
   * Everything but the transactions of the block has been verified, so a peer cannot trigger this request for free. Those
   * that came with the block are asked for again: they are not kept.
   */
  #askForTransactions(peer: Peer, { parsed, result, height, sentIds }: HandledBlock): void {
    const lacking = new Set(result.status === 'missing-txs' ? result.missing : []);
    const missing: bigint[] = [];
    for (const [i, id] of parsed.block.txHashes.entries())
      if (lacking.has(i) || (sentIds.has(toHex(id)) && !this.#isInPool(id)))
        missing.push(BigInt(i));
    const request = {
      block_hash: parsed.id,
      current_blockchain_height: height + 1,
      missing_tx_indices: missing,
    };
    const body = encodeMessage(REQUEST_FLUFFY_MISSING, request);
    peer.connection.notify(COMMANDS.requestFluffyMissing, body);
  }

  #isInPool(id: Uint8Array): boolean {
    return this.#pool?.transactionBlob(id) !== undefined;
  }

  #learnHeight(peer: Peer, message: NewBlock, height: number): void {
    if (message.current_blockchain_height === height + 1)
      this.#sync.onPeerBlock(peer, message.current_blockchain_height);
  }

  /** Announces a main-chain block to all peers. Does nothing when there is no block of that height. */
  announce(height: number): void {
    const block = this.#chain.store.blockBlob(height);
    if (block) this.#send(block, height, () => true);
  }

  /**
   * Announces the top block to peers with a lower chain. The next timed sync would tell them too, but a block whose
   * parent they lack makes them request the chain at once.
   */
  announceTop(): void {
    const { height } = this.#chain;
    const block = this.#chain.store.blockBlob(height - 1);
    if (block) this.#send(block, height - 1, (peer) => this.#sync.stateOf(peer).height < height);
  }

  #send(block: Uint8Array, height: number, concerns: (peer: Peer) => boolean): void {
    const body = encodeMessage(NEW_BLOCK, {
      b: { block, block_weight: 0, pruned: false, txs: [] },
      current_blockchain_height: height + 1,
    });
    for (const peer of this.#peers)
      if (peer.handshaked && !isHidden(peer.address) && concerns(peer))
        peer.connection.notify(COMMANDS.newFluffyBlock, body);
  }
}

/** Returns what names the host of a peer; connections of a proxy or a hidden service count each for itself. */
function hostOf({ address, id }: Peer): string {
  return isHidden(address) || PROXIES.has(address.host) ? id : address.host;
}

function coinbaseHeight(parsed: ParsedBlock): number {
  const [input] = parsed.block.minerTx.inputs;
  return input?.kind === 'gen' ? input.height : 0;
}
