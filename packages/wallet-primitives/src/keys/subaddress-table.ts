import { checkOptions, OPTIONAL, type OptionTable } from '@monero-node/base/options';
import { toHex } from '@monero-node/codec';
import type { CryptoBackend } from '@monero-node/crypto';
import type { ViewAccount } from './account.ts';
import { type SubaddressIndex, subaddressSpendKeys } from './subaddress.ts';

/** Accounts and addresses beyond the last used one that a wallet knows. Source: SUBADDRESS_LOOKAHEAD_MAJOR and _MINOR. */
const LOOKAHEAD_ACCOUNTS = 50;
const LOOKAHEAD_ADDRESSES = 200;
/** Most addresses in a table by default: about 200 MB. */
const MOST_ADDRESSES = 1_000_000;

/** How far a table looks ahead, as monerod's wallets call it. */
export interface Lookahead {
  /** Accounts beyond the last used one, 50 by default. */
  readonly accounts?: number;
  /** Addresses beyond the last used one of an account, 200 by default. */
  readonly addresses?: number;
  /** The table does not grow beyond this many addresses, 1,000,000 by default. */
  readonly most?: number;
}

/** The options of a table. */
export const LOOKAHEAD: OptionTable<Lookahead> = {
  accounts: OPTIONAL,
  addresses: OPTIONAL,
  most: OPTIONAL,
};

/** The addresses of an account whose outputs are recognized, by their public spend keys. */
export class SubaddressTable {
  readonly #account: ViewAccount;
  readonly #backend: CryptoBackend;
  readonly #lookahead: Required<Lookahead>;
  readonly #places = new Map<string, SubaddressIndex>();
  /** For each account, how many of its addresses are in the table. */
  readonly #counts: number[] = [];

  /**
   * Makes a table of the first accounts and addresses.
   * Throws RangeError when they are more than `most`, or for a lookahead that is not a positive whole number, and OptionError for an
   * unknown option.
   */
  constructor(account: ViewAccount, backend: CryptoBackend, lookahead: Lookahead = {}) {
    checkOptions('SubaddressTable', lookahead, LOOKAHEAD);
    const { accounts = LOOKAHEAD_ACCOUNTS, addresses = LOOKAHEAD_ADDRESSES } = lookahead;
    const most = lookahead.most ?? MOST_ADDRESSES;
    if (![accounts, addresses].every((count) => Number.isInteger(count) && count > 0)) {
      throw new RangeError('a lookahead is a positive whole number');
    }
    if (accounts * addresses > most) throw new RangeError(`more than ${most} addresses`);
    this.#account = account;
    this.#backend = backend;
    this.#lookahead = { accounts, addresses, most };
    this.use({ account: 0, index: 0 });
  }

  /** The number of addresses in the table. */
  get size(): number {
    return this.#places.size;
  }

  /** Returns the place of the address with this public spend key, 32 bytes; undefined for one that is not in the table. */
  find(spendKey: Uint8Array): SubaddressIndex | undefined {
    return this.#places.get(toHex(spendKey));
  }

  /**
   * Makes the table reach beyond this address by the lookahead, unless its bound stops it.
   * Source: expand_subaddresses in src/wallet/wallet2.cpp.
   */
  use({ account, index }: SubaddressIndex): void {
    const { accounts, addresses } = this.#lookahead;
    for (let each = this.#counts.length; each < account + accounts; each++) {
      if (!this.#extend(each, (each === account ? index : 0) + addresses)) return;
    }
    this.#extend(account, index + addresses);
  }

  /** Adds addresses of one account up to, but not including, `end`; returns whether there was room for all. */
  #extend(account: number, end: number): boolean {
    const first = this.#counts[account] ?? 0;
    const count = Math.min(end - first, this.#lookahead.most - this.size, 2 ** 32 - first);
    const places = Array.from({ length: Math.max(0, count) }, (_, i) => {
      return { account, index: first + i };
    });
    const keys = subaddressSpendKeys(this.#account, places, this.#backend);
    for (const [i, place] of places.entries()) {
      this.#places.set(toHex(keys[i] as Uint8Array), place);
    }
    this.#counts[account] = first + places.length;
    return first + places.length >= end;
  }
}
