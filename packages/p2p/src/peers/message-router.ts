import { DecodeError, encodeMessage } from '@monero-node/codec';
import type { MessageSchema } from '@monero-node/codec';
import type { Logger } from '@monero-node/base';
import type { ChainForP2p } from '../chain.ts';
import type { LevinAnswer, LevinHandler } from '../levin/connection.ts';
import { LEVIN_ERROR_NO_HANDLER, LEVIN_OK, LevinError } from '../levin/frame.ts';
import {
  HANDSHAKE_REQUEST,
  PING_OK,
  PING_RESPONSE,
  SUPPORT_FLAGS_RESPONSE,
} from '../messages/admin.ts';
import {
  NEW_BLOCK,
  REQUEST_FLUFFY_MISSING,
  REQUEST_OBJECTS,
  RESPONSE_OBJECTS,
} from '../messages/blocks.ts';
import { REQUEST_CHAIN, RESPONSE_CHAIN } from '../messages/chain.ts';
import { COMMANDS } from '../messages/commands.ts';
import { decodeBody } from '../messages/decode.ts';
import { NEW_TRANSACTIONS, TXPOOL_COMPLEMENT } from '../messages/transactions.ts';
import { isHidden } from '../net/address.ts';
import type { BlockRelay } from '../relay/blocks.ts';
import type { TransactionRelay } from '../relay/transactions.ts';
import type { ChainSync } from '../sync/chain-sync.ts';
import { chainEntryFor, missingTransactionsFor, objectsFor } from '../sync/serve.ts';
import { Violation } from '../violation.ts';
import type { Zones } from '../zones/zones.ts';
import type { Handshake } from './handshake.ts';
import type { PeerSet } from './peer-set.ts';
import type { Peer } from './peer.ts';

const EMPTY = new Uint8Array(0);
const UNSOLICITED_PENALTY = 1;

export interface MessageRouterDeps {
  chain: ChainForP2p;
  zones: Zones;
  handshake: Handshake;
  peers: PeerSet;
  sync: ChainSync;
  blocks: BlockRelay;
  transactions: TransactionRelay;
  logger: Logger;
  onClosed: (peer: Peer, reason: string) => void;
}

type InvokeHandler = (peer: Peer, body: Uint8Array) => LevinAnswer | undefined;
type NotifyHandler = (peer: Peer, body: Uint8Array) => void | Promise<void>;

/** Which part of the node deals with which message of a peer. */
export class MessageRouter {
  readonly #deps: MessageRouterDeps;
  readonly #invokes: ReadonlyMap<number, InvokeHandler>;
  readonly #notifies: ReadonlyMap<number, NotifyHandler>;

  constructor(deps: MessageRouterDeps) {
    this.#deps = deps;
    this.#invokes = invokeHandlers(deps);
    this.#notifies = notifyHandlers(deps);
  }

  /** The handler of one connection. A message that does not decode closes it. */
  handlerFor(peer: Peer): LevinHandler {
    return {
      onInvoke: (command, body) => {
        const handle = this.#isServed(peer, command) ? this.#invokes.get(command) : undefined;
        if (!handle) return { returnCode: LEVIN_ERROR_NO_HANDLER, body: EMPTY };
        // A closed link swallows whatever is answered.
        return decoding(command, () => handle(peer, body)) ?? { returnCode: LEVIN_OK, body: EMPTY };
      },
      onNotify: (command, body) => {
        const handle = this.#isServed(peer, command) ? this.#notifies.get(command) : undefined;
        return decoding(command, () => handle?.(peer, body));
      },
      onClose: (reason) => this.#deps.onClosed(peer, reason),
      accepts: (command) => this.#isAskedFor(peer, command),
    };
  }

  /** Answers that were not asked for can be large, so they are refused before they arrive. */
  #isAskedFor(peer: Peer, command: number): boolean {
    const kind =
      command === COMMANDS.responseChain
        ? 'chain'
        : command === COMMANDS.responseObjects
          ? 'objects'
          : undefined;
    if (kind === undefined || peer.pending?.kind === kind) return true;
    this.#deps.peers.drop(peer, `command ${command} was not asked for`, UNSOLICITED_PENALTY);
    return false;
  }

  /** Over Tor and I2P only introductions and transactions are dealt with. */
  #isServed(peer: Peer, command: number): boolean {
    return (
      !isHidden(peer.address) ||
      command === COMMANDS.handshake ||
      command === COMMANDS.timedSync ||
      command === COMMANDS.newTransactions
    );
  }
}

/** Runs a handler; bytes it cannot decode are the peer's fault. */
function decoding<T>(command: number, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (error instanceof DecodeError)
      throw new LevinError(`command ${command} does not decode: ${error.message}`);
    throw error;
  }
}

function invokeHandlers(deps: MessageRouterDeps): Map<number, InvokeHandler> {
  const { handshake, zones } = deps;
  return new Map<number, InvokeHandler>([
    [
      COMMANDS.handshake,
      (peer, body) => handshake.onRequest(peer, decodeBody(HANDSHAKE_REQUEST, body)),
    ],
    [COMMANDS.timedSync, (peer, body) => handshake.onTimedSync(peer, body)],
    [
      COMMANDS.ping,
      (peer) => ({
        returnCode: LEVIN_OK,
        body: encodeMessage(PING_RESPONSE, {
          peer_id: zones.ofPeer(peer).identity.peerId,
          status: PING_OK,
        }),
      }),
    ],
    [
      COMMANDS.supportFlags,
      (peer) => ({
        returnCode: LEVIN_OK,
        body: encodeMessage(SUPPORT_FLAGS_RESPONSE, {
          support_flags: zones.ofPeer(peer).identity.supportFlags,
        }),
      }),
    ],
  ]);
}

function notifyHandlers(deps: MessageRouterDeps): Map<number, NotifyHandler> {
  const { blocks, chain, peers, sync, transactions } = deps;

  /** Requests that are only answered after the handshake. */
  const served =
    <T>(
      schema: MessageSchema<T>,
      serve: (peer: Peer, message: T) => void | Promise<void>,
    ): NotifyHandler =>
    (peer, body) => {
      if (peer.state === 'before_handshake') return peers.drop(peer, 'a request too early');
      return serve(peer, decodeBody(schema, body));
    };

  const reply = <T>(
    peer: Peer,
    command: number,
    schema: MessageSchema<T>,
    answer: T | Violation | undefined,
  ): void => {
    if (answer instanceof Violation) peers.drop(peer, answer.reason, answer.penalty);
    else if (answer !== undefined) peer.connection.notify(command, encodeMessage(schema, answer));
  };

  const newBlock: NotifyHandler = (peer, body) =>
    blocks.onNewBlock(peer, decodeBody(NEW_BLOCK, body));

  return new Map<number, NotifyHandler>([
    [COMMANDS.newBlock, newBlock],
    [COMMANDS.newFluffyBlock, newBlock],
    [
      COMMANDS.newTransactions,
      (peer, body) => transactions.onTransactions(peer, decodeBody(NEW_TRANSACTIONS, body)),
    ],
    [
      COMMANDS.txpoolComplement,
      (peer, body) => transactions.onComplementRequest(peer, decodeBody(TXPOOL_COMPLEMENT, body)),
    ],
    [
      COMMANDS.requestChain,
      served(REQUEST_CHAIN, (peer, request) =>
        reply(peer, COMMANDS.responseChain, RESPONSE_CHAIN, chainEntryFor(chain, request)),
      ),
    ],
    [
      COMMANDS.requestObjects,
      served(REQUEST_OBJECTS, async (peer, request) =>
        reply(peer, COMMANDS.responseObjects, RESPONSE_OBJECTS, await objectsFor(chain, request)),
      ),
    ],
    [
      COMMANDS.requestFluffyMissing,
      served(REQUEST_FLUFFY_MISSING, (peer, request) =>
        reply(peer, COMMANDS.newFluffyBlock, NEW_BLOCK, missingTransactionsFor(chain, request)),
      ),
    ],
    [
      COMMANDS.responseChain,
      (peer, body) => sync.onChainEntry(peer, decodeBody(RESPONSE_CHAIN, body)),
    ],
    [
      COMMANDS.responseObjects,
      (peer, body) => sync.onObjects(peer, decodeBody(RESPONSE_OBJECTS, body)),
    ],
  ]);
}
