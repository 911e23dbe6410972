import { Yielder } from '@monero-node/base';
import { checkOptions, OPTIONAL, type OptionTable } from '@monero-node/base/options';
import {
  bytesEqual,
  ByteReader,
  ByteWriter,
  DecodeError,
  fromHex,
  toHex,
} from '@monero-node/codec';
import { concatBytes } from '@monero-node/codec/bytes';
import { type CryptoBackend, keccak256 } from '@monero-node/crypto';
import type { ViewAccount } from './account.ts';
import { type CarrotViewAccount, isCarrotAccount } from './carrot-account.ts';
import { checkAccount } from './check-account.ts';
import { type SubaddressIndex, subaddressSpendKeys } from './subaddress.ts';

const KEY_SIZE = 32;
const SEAL_SIZE = 32;

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

/** How {@link SubaddressTable.prepare} runs. */
export interface PrepareOptions {
  /** Ends it; it then rejects with the signal's reason, and what was computed stays. */
  readonly signal?: AbortSignal | undefined;
  /** Called after each step with the part that is done, 0 to 1. */
  readonly onProgress?: (done: number) => void;
}

const PREPARE: OptionTable<PrepareOptions> = { signal: OPTIONAL, onProgress: OPTIONAL };

/** Addresses that are computed before other work has its turn: some milliseconds. */
const STEP = 100;

/**
 * The addresses of an account whose outputs are recognized, by their public spend keys. They are computed when they are first asked
 * for: 10,000 of them take half a second with the native backend and one or two with WebAssembly. {@link SubaddressTable.prepare}
 * does that in steps, and {@link SubaddressTable.save} keeps the result. Scanners of the same account may share a table.
 */
export class SubaddressTable {
  readonly #account: ViewAccount | CarrotViewAccount;
  readonly #backend: CryptoBackend;
  readonly #lookahead: Required<Lookahead>;
  readonly #places = new Map<string, SubaddressIndex>();
  /** For each account, how many of its addresses belong to the table. */
  readonly #ends: number[] = [];
  /** For each account, how many of them are computed. */
  readonly #counts: number[] = [];
  #size = 0;

  /**
   * Makes a table of the first accounts and addresses.
   * Throws RangeError when they are more than `most`, for a lookahead that is not a positive whole number, or for keys that are no
   * scalar or no point, which the message names, and OptionError for an unknown option.
   */
  constructor(
    account: ViewAccount | CarrotViewAccount,
    backend: CryptoBackend,
    lookahead: Lookahead = {},
  ) {
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
    // Wrong keys are found here, not at the first scan: the sum takes any 32 bytes as the view secret.
    checkAccount('SubaddressTable', account, backend);
    this.use({ account: 0, index: 0 });
  }

  /**
   * Returns a table that {@link SubaddressTable.save} wrote for the same account, without computing its addresses again.
   * Throws DecodeError for other bytes, and otherwise as the constructor.
   */
  static load(
    bytes: Uint8Array,
    account: ViewAccount | CarrotViewAccount,
    backend: CryptoBackend,
    lookahead: Lookahead = {},
  ): SubaddressTable {
    const table = new SubaddressTable(account, backend, lookahead);
    for (const [number, keys] of decodeTable(account, bytes).entries()) {
      table.#reach(number, keys.length);
      table.#add(number, keys.slice(0, table.#ends[number]));
    }
    return table;
  }

  /** Returns whether the table was made for this account: another one's outputs are not found with it. */
  isOf(account: ViewAccount | CarrotViewAccount): boolean {
    return bytesEqual(keysOf(this.#account), keysOf(account));
  }

  /** The number of addresses in the table. */
  get size(): number {
    return this.#size;
  }

  /** Returns the place of the address with this public spend key, 32 bytes; undefined for one that is not in the table. */
  find(spendKey: Uint8Array): SubaddressIndex | undefined {
    if (this.#places.size < this.#size) this.#compute(Infinity);
    return this.#places.get(toHex(spendKey));
  }

  /**
   * Computes the addresses in steps, so that a page or a server goes on meanwhile. Without it the first scan does, at once. Rejects
   * with OptionError for an unknown option, and with the reason of the signal.
   */
  async prepare(options: PrepareOptions = {}): Promise<void> {
    checkOptions('prepare', options, PREPARE);
    const { signal, onProgress } = options;
    const yielder = new Yielder();
    while (this.#places.size < this.#size) {
      signal?.throwIfAborted();
      this.#compute(STEP);
      onProgress?.(this.#places.size / this.#size);
      await yielder.yieldIfDue();
    }
  }

  /**
   * Returns the computed addresses as bytes, 32 for each, to {@link SubaddressTable.load} them later. They tell nobody anything but
   * which addresses belong together. `load` refuses bytes that were changed.
   */
  save(): Uint8Array {
    const keys = this.#counts.map((): Uint8Array[] => []);
    for (const [key, { account, index }] of this.#places) {
      (keys[account] as Uint8Array[])[index] = fromHex(key);
    }
    return encodeTable(this.#account, keys);
  }

  /**
   * Makes the table reach beyond this address by the lookahead, unless its bound stops it.
   * Source: expand_subaddresses in src/wallet/wallet2.cpp.
   */
  use({ account, index }: SubaddressIndex): void {
    const { accounts, addresses } = this.#lookahead;
    for (let each = this.#ends.length; each < account + accounts; each++) {
      if (!this.#reach(each, (each === account ? index : 0) + addresses)) return;
    }
    this.#reach(account, index + addresses);
  }

  /** Takes addresses of one account up to, but not including, `end`; returns whether there was room for all. */
  #reach(account: number, end: number): boolean {
    const first = this.#ends[account] ?? 0;
    const count = Math.min(end - first, this.#lookahead.most - this.#size, 2 ** 32 - first);
    this.#ends[account] = first + Math.max(0, count);
    this.#size += Math.max(0, count);
    return first + count >= end;
  }

  /** Computes at most this many addresses. */
  #compute(most: number): void {
    let left = most;
    for (let account = 0; account < this.#ends.length && left > 0; account++) {
      const first = this.#counts[account] ?? 0;
      const count = Math.min((this.#ends[account] ?? 0) - first, left);
      if (count === 0) continue;
      const places = Array.from({ length: count }, (_, i) => ({ account, index: first + i }));
      this.#add(account, subaddressSpendKeys(this.#account, places, this.#backend));
      left -= count;
    }
  }

  /** Adds the next keys of an account. */
  #add(account: number, keys: readonly Uint8Array[]): void {
    const first = this.#counts[account] ?? 0;
    for (const [i, key] of keys.entries()) {
      this.#places.set(toHex(key), { account, index: first + i });
    }
    this.#counts[account] = first + keys.length;
  }
}

/** Returns the keys that the addresses of an account depend on: 64 bytes, and 32 more of the Carrot hierarchy. */
function keysOf(account: ViewAccount | CarrotViewAccount): Uint8Array {
  const { viewSecret, spendKey } = account;
  const own = isCarrotAccount(account) ? [account.addressSecret] : [];
  return concatBytes(viewSecret, spendKey, ...own);
}

/** Binds bytes to an account: nobody without its view key can make or change them. */
function sealOf(account: ViewAccount, body: Uint8Array): Uint8Array {
  return keccak256(concatBytes(keysOf(account), body));
}

/**
 * Returns the public spend keys (32 bytes each) of each account of a table, in the order of their indices, as bytes: the number of accounts, for each the
 * number of its keys (varints) and the keys, and a seal of 32 bytes.
 */
function encodeTable(account: ViewAccount, keys: readonly (readonly Uint8Array[])[]): Uint8Array {
  const writer = new ByteWriter();
  writer.varint(keys.length);
  for (const list of keys) {
    writer.varint(list.length);
    for (const key of list) writer.bytes(key);
  }
  const body = writer.toBytes();
  return concatBytes(body, sealOf(account, body));
}

/** Returns the keys that {@link encodeTable} wrote, 32 bytes each. Throws DecodeError unless it wrote these bytes for this account. */
function decodeTable(account: ViewAccount, bytes: Uint8Array): Uint8Array[][] {
  const body = bytes.subarray(0, Math.max(0, bytes.length - SEAL_SIZE));
  if (!bytesEqual(sealOf(account, body), bytes.subarray(body.length))) {
    throw new DecodeError('not a table of the addresses of this account');
  }
  const reader = new ByteReader(body);
  const keys = Array.from({ length: reader.count(1) }, () =>
    Array.from({ length: reader.count(KEY_SIZE) }, () => reader.bytes(KEY_SIZE)),
  );
  reader.end();
  return keys;
}
