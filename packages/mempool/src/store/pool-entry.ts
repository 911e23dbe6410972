import { bytesEqual, concatBytes, toHex } from '@monero-node/codec';
import type { Verification } from '@monero-node/blockchain';
import type { PoolTxMeta } from '@monero-node/storage';
import { isPublic, RELAY_METHODS, type RelayMethod } from './relay-method.ts';

/** A transaction of the pool, as other packages see it. Times are Unix seconds; ids and key images are 32 bytes. */
export interface PoolTransaction {
  readonly id: Uint8Array;
  /** Full blob. */
  readonly blob: Uint8Array;
  readonly weight: number;
  /** Atomic units. */
  readonly fee: bigint;
  readonly receiveTime: number;
  /** Undefined for never; 0 in the stem phase, because that time is private. */
  readonly lastRelayedTime: number | undefined;
  readonly relayed: boolean;
  readonly doNotRelay: boolean;
  /** Whether it comes from a block. */
  readonly keptByBlock: boolean;
  readonly doubleSpendSeen: boolean;
  readonly maxUsedBlockHeight: number;
  readonly maxUsedBlockId: Uint8Array;
  /** Height of the tip at which its inputs last failed; 0 for never. */
  readonly lastFailedHeight: number;
  readonly lastFailedId: Uint8Array;
  /** Whether it is public. */
  readonly broadcast: boolean;
  readonly keyImages: readonly Uint8Array[];
  readonly relay: RelayMethod;
}

const HASH_BYTES = 32;
const NO_ID = new Uint8Array(HASH_BYTES);

/** The parts that a PoolEntry is made of. */
export interface PoolEntryParts {
  /** 32 bytes, as the key images; they are copied. */
  readonly id: Uint8Array;
  readonly keyImages: readonly Uint8Array[];
  readonly meta: PoolTxMeta;
  /** Full blob, kept in memory until it is stored. */
  readonly blob?: Uint8Array;
  /** Reads the blob from storage. */
  readonly load: (id: Uint8Array) => Uint8Array | undefined;
}

/** Returns the last six bytes of an id as a number below 2^48, the last one most significant. */
function endOf(id: Uint8Array): number {
  let end = 0;
  for (let i = 1; i <= 6; i++) end = 256 * end + (id[id.length - i] ?? 0);
  return end;
}

/** A transaction of the pool. Its bytes are in storage, not in memory, because there may be many. */
export class PoolEntry implements PoolTransaction {
  /** The id, 64 hex digits. */
  readonly key: string;
  readonly weight: number;
  readonly fee: bigint;
  /** Atomic units per weight, as a double: the order of selection depends on its rounding. */
  readonly rate: number;
  /** The last six bytes of the id as a number, the last one most significant. */
  readonly idEnd: number;
  receiveTime: number;
  /** Time of the last relay or, for stem and forward, the time when the next one is due. */
  relayTime: number | undefined;
  relay: RelayMethod;
  relayed: boolean;
  doubleSpendSeen: boolean;
  maxUsedBlockHeight: number;
  maxUsedBlockId: Uint8Array;
  lastFailedHeight: number;
  lastFailedId: Uint8Array;
  verification: Verification | undefined;
  /** Its time in the order of fees. */
  sortTime: number;
  /** Id of the tip (64 hex digits) at which its inputs were found valid. */
  readyAt: string | undefined;
  /** The id and the key images in one array: an array for each would take many times their size. */
  readonly #hashes: Uint8Array;
  readonly #load: PoolEntryParts['load'];
  #blob: Uint8Array | undefined;

  constructor({ id, keyImages, meta, blob, load }: PoolEntryParts) {
    this.#hashes = concatBytes(id, ...keyImages);
    this.key = toHex(id);
    this.weight = meta.weight;
    this.fee = meta.fee;
    this.rate = Number(meta.fee) / Math.max(1, meta.weight);
    this.idEnd = endOf(id);
    this.receiveTime = meta.receiveTime;
    this.sortTime = meta.receiveTime;
    this.relayTime = meta.lastRelayedTime;
    this.relay = RELAY_METHODS[meta.relayMethod] ?? 'none';
    this.relayed = meta.relayed;
    this.doubleSpendSeen = meta.doubleSpendSeen;
    this.maxUsedBlockHeight = meta.maxUsedBlockHeight;
    this.maxUsedBlockId = meta.maxUsedBlockId;
    this.lastFailedHeight = meta.lastFailedHeight;
    // Most have never failed, and share this array.
    this.lastFailedId = bytesEqual(meta.lastFailedId, NO_ID) ? NO_ID : meta.lastFailedId;
    this.verification = meta.verified;
    this.#blob = blob;
    this.#load = load;
  }

  get id(): Uint8Array {
    return this.#hashes.subarray(0, HASH_BYTES);
  }

  /** Copies the id to `target` from `offset` on, without making an array of it. */
  copyId(target: Uint8Array, offset: number): void {
    for (let i = 0; i < HASH_BYTES; i++) target[offset + i] = this.#hashes[i] ?? 0;
  }

  get keyImages(): readonly Uint8Array[] {
    const keyImages: Uint8Array[] = [];
    for (let at = HASH_BYTES; at < this.#hashes.length; at += HASH_BYTES) {
      keyImages.push(this.#hashes.subarray(at, at + HASH_BYTES));
    }
    return keyImages;
  }

  /** Full blob. Throws Error when storage has lost it. */
  get blob(): Uint8Array {
    const blob = this.#blob ?? this.#load(this.id);
    if (blob === undefined) throw new Error(`transaction ${this.key} is missing in storage`);
    return blob;
  }

  /** Keeps the bytes in memory, because they are about to leave storage while callers may still hold the entry. */
  pin(): void {
    this.#blob = this.blob;
  }

  /** Releases the bytes, which are in storage. */
  unpin(): void {
    this.#blob = undefined;
  }

  get lastRelayedTime(): number | undefined {
    return this.relay === 'stem' ? 0 : this.relayTime;
  }

  get doNotRelay(): boolean {
    return this.relay === 'none';
  }

  get keptByBlock(): boolean {
    return this.relay === 'block';
  }

  get broadcast(): boolean {
    return isPublic(this.relay);
  }

  /** Records the tip at which its inputs failed. */
  markFailed(height: number, id: Uint8Array): void {
    this.lastFailedHeight = height;
    this.lastFailedId = id;
    this.readyAt = undefined;
  }

  /** Forgets that its inputs failed. */
  clearFailure(): void {
    this.lastFailedHeight = 0;
    this.lastFailedId = NO_ID;
  }

  /** The record in storage. */
  get meta(): PoolTxMeta {
    const { relayTime, verification } = this;
    return {
      weight: this.weight,
      fee: this.fee,
      receiveTime: this.receiveTime,
      lastRelayedTime: relayTime,
      maxUsedBlockHeight: this.maxUsedBlockHeight,
      maxUsedBlockId: this.maxUsedBlockId,
      lastFailedHeight: this.lastFailedHeight,
      lastFailedId: this.lastFailedId,
      relayMethod: RELAY_METHODS.indexOf(this.relay),
      relayed: this.relayed,
      doubleSpendSeen: this.doubleSpendSeen,
      verified: verification,
    };
  }
}
