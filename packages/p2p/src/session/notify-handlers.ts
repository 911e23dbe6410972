import { Yielder } from '@monero-node/base';
import { encodeMessage } from '@monero-node/codec';
import type { Fields, InputOf, Table } from '@monero-node/codec';
import {
  NEW_BLOCK,
  REQUEST_FLUFFY_MISSING,
  REQUEST_OBJECTS,
  RESPONSE_OBJECTS,
} from '../messages/blocks.ts';
import { REQUEST_CHAIN, RESPONSE_CHAIN } from '../messages/chain.ts';
import { COMMANDS, handlersByNumber, type HandlersOf } from '../messages/commands.ts';
import { decodeInSlices } from '../messages/decode.ts';
import { NEW_TRANSACTIONS, JOINED_COMPLEMENT } from '../messages/transactions.ts';
import type { PeerSet } from '../peers/peer-set.ts';
import type { Peer } from '../peers/peer.ts';
import { Violation } from '../peers/bans/violation.ts';
import type { BlockRelay } from '../relay/blocks.ts';
import type { TransactionRelay } from '../relay/transactions.ts';
import type { ChainSync } from '../sync/chain-sync.ts';
import type { ChainForP2p } from '../contract/chain-for-p2p.ts';
import { objectsFor, missingTransactionsFor } from '../serve/blocks.ts';
import { ChainEntries } from '../serve/chain.ts';

export type NotifyHandler = (peer: Peer, body: Uint8Array) => void | Promise<void>;

export interface NotifyHandlerDependencies {
  readonly chain: ChainForP2p;
  readonly peers: PeerSet;
  readonly sync: ChainSync;
  readonly blocks: BlockRelay;
  readonly transactions: TransactionRelay;
}

/** Returns the handlers of the messages without an answer in Levin's sense, by command. */
export function notifyHandlers(
  deps: NotifyHandlerDependencies,
): ReadonlyMap<number, NotifyHandler> {
  const { blocks, sync, transactions } = deps;
  const newBlock = handler(NEW_BLOCK, (peer, message) => blocks.onNewBlock(peer, message));
  const handlers: HandlersOf<'notification', NotifyHandler> = {
    newBlock,
    newFluffyBlock: newBlock,
    newTransactions: handler(NEW_TRANSACTIONS, (peer, message) =>
      transactions.onTransactions(peer, message),
    ),
    txpoolComplement: handler(JOINED_COMPLEMENT, (peer, message) =>
      transactions.onComplementRequest(peer, message),
    ),
    responseChain: answerHandler(RESPONSE_CHAIN, (peer, message) =>
      sync.onChainEntry(peer, message),
    ),
    responseObjects: answerHandler(RESPONSE_OBJECTS, (peer, message) =>
      sync.onObjects(peer, message),
    ),
    ...requestHandlers(deps),
  };
  return handlersByNumber(handlers);
}

/** The requests for parts of our chain, which are served only after the handshake. */
function requestHandlers(deps: NotifyHandlerDependencies) {
  const { chain, peers, sync } = deps;

  const served =
    <F extends Fields>(
      table: Table<F>,
      serve: (peer: Peer, message: InputOf<F>) => void | Promise<void>,
    ): NotifyHandler =>
    (peer, body) => {
      if (sync.stateOf(peer).state === 'before_handshake')
        return peers.drop(peer, 'a request before the handshake');
      return decoded(peer, table, body, serve);
    };

  const entries = new ChainEntries(chain);
  return {
    requestChain: served(REQUEST_CHAIN, async ({ connection }, request) => {
      const body = await entries.answer(request, connection.newYielder());
      if (body !== undefined) connection.notify(COMMANDS.responseChain, body);
    }),
    requestObjects: served(REQUEST_OBJECTS, async (peer, request) => {
      const body = await objectsFor(chain, request, peer.connection.newYielder());
      if (body instanceof Violation) peers.drop(peer, body.reason, body.penalty);
      else peer.connection.notifyLazy(COMMANDS.responseObjects, body);
    }),
    requestFluffyMissing: served(REQUEST_FLUFFY_MISSING, (peer, request) => {
      const block = missingTransactionsFor(chain, request);
      if (block instanceof Violation) peers.drop(peer, block.reason, block.penalty);
      else peer.connection.notify(COMMANDS.newFluffyBlock, encodeMessage(NEW_BLOCK, block));
    }),
  };
}

function handler<F extends Fields>(
  table: Table<F>,
  handle: (peer: Peer, message: InputOf<F>) => void | Promise<void>,
): NotifyHandler {
  return (peer, body) => decoded(peer, table, body, handle);
}

/** A handler of an answer: we asked for it, so its peer does not pay for decoding it. */
function answerHandler<F extends Fields>(
  table: Table<F>,
  handle: (peer: Peer, message: InputOf<F>) => void | Promise<void>,
): NotifyHandler {
  return (peer, body) => decoded(peer, table, body, handle, () => new Yielder());
}

/** Decodes a message and passes it on. The peer pays for the slices that a long one takes, unless another yielder is given. */
function decoded<F extends Fields>(
  peer: Peer,
  table: Table<F>,
  body: Uint8Array,
  handle: (peer: Peer, message: InputOf<F>) => void | Promise<void>,
  newYielder = () => peer.connection.newYielder(),
): void | Promise<void> {
  const message = decodeInSlices(table, body, newYielder);
  if (!(message instanceof Promise)) return handle(peer, message);
  return message.then((decodedMessage) => {
    if (!peer.connection.closed) return handle(peer, decodedMessage);
  });
}
