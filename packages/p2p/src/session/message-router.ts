import { MachineError, type Logger } from '@monero-node/base';
import { DecodeError } from '@monero-node/codec';
import { LEVIN_ERROR_NO_HANDLER, LEVIN_OK, LevinError } from '../levin/frame.ts';
import type { LevinHandler } from '../levin/handler.ts';
import { COMMANDS, isForHidden } from '../messages/commands.ts';
import { isHidden } from '../net/address.ts';
import type { Peer } from '../peers/peer.ts';
import type { Departures } from './departures.ts';
import { invokeHandlers } from './invoke-handlers.ts';
import type { InvokeHandler, InvokeHandlerDependencies } from './invoke-handlers.ts';
import { notifyHandlers } from './notify-handlers.ts';
import type { NotifyHandler, NotifyHandlerDependencies } from './notify-handlers.ts';

const EMPTY = new Uint8Array(0);
const UNSOLICITED_PENALTY = 1;
const FLOOD_PENALTY = 5;

export interface MessageRouterDependencies
  extends InvokeHandlerDependencies, NotifyHandlerDependencies {
  readonly departures: Departures;
  readonly logger: Logger;
}

/** Passes the messages of peers to the parts of the node that handle them. */
export class MessageRouter {
  readonly #deps: MessageRouterDependencies;
  readonly #invokes: ReadonlyMap<number, InvokeHandler>;
  readonly #notifies: ReadonlyMap<number, NotifyHandler>;

  constructor(deps: MessageRouterDependencies) {
    this.#deps = deps;
    this.#invokes = invokeHandlers(deps);
    this.#notifies = notifyHandlers(deps);
  }

  /** Returns the handler of one connection. A message that does not decode closes the connection. */
  handlerFor(peer: Peer): LevinHandler {
    return {
      onInvoke: (command, body) => {
        const handle = isServed(peer, command) ? this.#invokes.get(command) : undefined;
        if (!handle) return { returnCode: LEVIN_ERROR_NO_HANDLER, body: EMPTY };
        // Without an answer the link is closed, and this one is never sent.
        return decoding(command, () => handle(peer, body)) ?? { returnCode: LEVIN_OK, body: EMPTY };
      },
      onNotify: (command, body) => {
        const handle = isServed(peer, command) ? this.#notifies.get(command) : undefined;
        const work = decoding(command, () => handle?.(peer, body));
        return work && this.#sparing(work);
      },
      onClose: (reason) => this.#deps.departures.onClosed(peer, reason),
      accepts: (command) => this.#isExpected(peer, command),
      onExhausted: (reason) => this.#deps.peers.drop(peer, reason, FLOOD_PENALTY),
    };
  }

  /** Keeps the link when this machine fails to handle a message: the peer is not to blame. */
  async #sparing(work: Promise<void>): Promise<void> {
    try {
      await work;
    } catch (error) {
      if (!(error instanceof MachineError)) throw error;
      this.#deps.logger.error(`failed to handle a message: ${error.stack ?? error.message}`);
    }
  }

  /** Unsolicited answers can be large, so they are refused before their bodies are received. */
  #isExpected(peer: Peer, command: number): boolean {
    const { peers, sync } = this.#deps;
    const kind =
      command === COMMANDS.responseChain
        ? 'chain'
        : command === COMMANDS.responseObjects
          ? 'objects'
          : undefined;
    if (kind === undefined || sync.expects(peer, kind)) return true;
    peers.drop(peer, `command ${command} was not asked for`, UNSOLICITED_PENALTY);
    return false;
  }
}

function isServed(peer: Peer, command: number): boolean {
  return !isHidden(peer.address) || isForHidden(command);
}

/** Runs a handler. A body that does not decode is the peer's fault, so it becomes a LevinError. */
function decoding<T>(command: number, work: () => T): T {
  const refuse = (error: unknown): never => {
    if (error instanceof DecodeError)
      throw new LevinError(`command ${command} does not decode: ${error.message}`);
    throw error;
  };
  try {
    const result = work();
    return result instanceof Promise ? (result.catch(refuse) as T) : result;
  } catch (error) {
    return refuse(error);
  }
}
