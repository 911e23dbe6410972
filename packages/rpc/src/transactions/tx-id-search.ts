import { Yielder } from '@monero-node/base';
import type { WorkClient } from '@monero-node/blockchain';
import type { RpcChain } from '../dependencies.ts';
import { matchesTemplate } from './tx-id-template.ts';

/** Ids read from the store at a time. */
const IDS_PER_STEP = 1000;
/** Searches that wait or run; more are turned away. */
const MAX_SEARCHES = 100;
/** Those of one host. */
const MAX_OF_HOST = 8;

export interface TxIdQuery {
  /** 32 bytes. */
  readonly template: Uint8Array;
  /** How many bits must match, 0 to 256. */
  readonly bits: number;
  /** More matches than that end the search. */
  readonly most: number;
  /** The client that waits for it; a search ends when its client has left. Absent for this node's own. */
  readonly client?: Pick<WorkClient, 'host' | 'isGone'> | undefined;
}

/** The ids found, or the reason for none: too many matches, or too many searches. */
export type TxIdsFound = readonly Uint8Array[] | 'too-many' | 'busy';

interface Search extends TxIdQuery {
  readonly found: Uint8Array[];
  readonly settle: (found: TxIdsFound) => void;
  readonly fail: (error: unknown) => void;
}

/**
 * Finds transactions of the chain by part of their id. The part is the end of the id, by which no table is ordered,
 * so that all ids are looked at, which for fifty million of them takes about twenty seconds. Whoever asks while that
 * is under way waits for the next round, which then serves all who wait: the work does not grow with the number of
 * callers.
 */
export class TxIdSearch {
  #waiting: Search[] = [];
  #running: Search[] = [];

  /** In no particular order. Rejects when the store fails. */
  async find(chain: RpcChain, query: TxIdQuery): Promise<TxIdsFound> {
    this.#waiting = this.#waiting.filter(isWanted);
    const all = [...this.#waiting, ...this.#running];
    const { client } = query;
    const own = client && all.filter((search) => search.client?.host === client.host);
    if (all.length >= MAX_SEARCHES || (own?.length ?? 0) >= MAX_OF_HOST) return 'busy';
    const outcome = new Promise<TxIdsFound>((settle, fail) => {
      this.#waiting.push({ ...query, found: [], settle, fail });
    });
    if (this.#running.length === 0) void this.#rounds(chain);
    return outcome;
  }

  /** Has a yielder of its own, because the call that began the rounds may end before them. */
  async #rounds(chain: RpcChain): Promise<void> {
    const yielder = new Yielder();
    while (this.#waiting.length > 0) {
      this.#running = this.#waiting;
      this.#waiting = [];
      try {
        await round(chain, this.#running, yielder);
      } catch (error) {
        for (const search of this.#running) search.fail(error);
      }
      this.#running = [];
    }
  }
}

/** Returns whether anybody waits for a search; one that nobody waits for is over. */
function isWanted({ client, settle }: Search): boolean {
  if (client?.isGone?.() !== true) return true;
  settle('busy');
  return false;
}

/** Looks at every id once. */
async function round(
  chain: RpcChain,
  searches: readonly Search[],
  yielder: Yielder,
): Promise<void> {
  let open = searches;
  let after: Uint8Array | undefined;
  do {
    const ids = chain.store.txIds(after, IDS_PER_STEP);
    open = open.filter((search) => isWanted(search) && hasRoom(search, ids));
    after = ids.at(-1);
    await yielder.yieldIfDue();
  } while (after !== undefined && open.length > 0);
  for (const { settle, found } of open) settle(found);
}

/** Notes what matches; false, and over, when that is too much. */
function hasRoom({ template, bits, most, found, settle }: Search, ids: Uint8Array[]): boolean {
  for (const id of ids) {
    if (!matchesTemplate(id, template, bits)) continue;
    if (found.length === most) {
      settle('too-many');
      return false;
    }
    found.push(id);
  }
  return true;
}
