import { keyImagesOf, toHex, type ParsedTransaction } from '@monero-node/codec';
import type { Verification } from '@monero-node/blockchain';
import type { PoolTxMeta } from '@monero-node/storage';
import { isPublic, RELAY_METHODS, type RelayMethod } from './relay-method.ts';

/** A transaction of the pool as others see it. Times are Unix seconds; ids are 32 bytes. */
export interface PoolTransaction {
  readonly id: Uint8Array;
  /** Full blob. */
  readonly blob: Uint8Array;
  readonly weight: number;
  /** Atomic units. */
  readonly fee: bigint;
  readonly receiveTime: number;
  /** Undefined = never; 0 for one in the stem phase, whose time is nobody's business. */
  readonly lastRelayedTime: number | undefined;
  readonly relayed: boolean;
  readonly doNotRelay: boolean;
  /** Came back from, or arrived with, a block. */
  readonly keptByBlock: boolean;
  readonly doubleSpendSeen: boolean;
  readonly maxUsedBlockHeight: number;
  readonly maxUsedBlockId: Uint8Array;
  /** 0 = never failed. */
  readonly lastFailedHeight: number;
  readonly lastFailedId: Uint8Array;
  /** Known to the public. */
  readonly broadcast: boolean;
  readonly keyImages: readonly Uint8Array[];
  readonly relay: RelayMethod;
}

const NO_ID = new Uint8Array(32);

export interface PoolEntryParts {
  readonly id: Uint8Array;
  readonly keyImages: readonly Uint8Array[];
  readonly meta: PoolTxMeta;
  /** Kept until it is stored. */
  readonly blob?: Uint8Array;
  /** Reads the blob back. */
  readonly load: (id: Uint8Array) => Uint8Array | undefined;
}

/** Returns copies of the key images, 32 bytes each, so that keeping them does not keep the whole blob. */
export function copyKeyImages({ tx }: ParsedTransaction): Uint8Array[] {
  return keyImagesOf(tx).map((keyImage) => keyImage.slice());
}

/** A transaction of the pool. Its bytes are in storage, not in memory: there may be many. */
export class PoolEntry implements PoolTransaction {
  readonly id: Uint8Array;
  /** The id in hex. */
  readonly key: string;
  readonly weight: number;
  readonly fee: bigint;
  readonly keyImages: readonly Uint8Array[];
  receiveTime: number;
  /** Last relay or, for stem and forward, when the next one is due. */
  relayTime: number | undefined;
  relay: RelayMethod;
  relayed: boolean;
  doubleSpendSeen: boolean;
  maxUsedBlockHeight: number;
  maxUsedBlockId: Uint8Array;
  lastFailedHeight: number;
  lastFailedId: Uint8Array;
  verification: Verification | undefined;
  /** When it joined its place in the order of fees. */
  sortTime: number;
  /** Id of the tip (hex) under which its inputs were found good. */
  readyAt: string | undefined;
  readonly #load: PoolEntryParts['load'];
  #blob: Uint8Array | undefined;

  constructor({ id, keyImages, meta, blob, load }: PoolEntryParts) {
    this.id = id;
    this.key = toHex(id);
    this.keyImages = keyImages;
    this.weight = meta.weight;
    this.fee = meta.fee;
    this.receiveTime = meta.receiveTime;
    this.sortTime = meta.receiveTime;
    this.relayTime = meta.lastRelayedTime;
    this.relay = RELAY_METHODS[meta.relayMethod] ?? 'none';
    this.relayed = meta.relayed;
    this.doubleSpendSeen = meta.doubleSpendSeen;
    this.maxUsedBlockHeight = meta.maxUsedBlockHeight;
    this.maxUsedBlockId = meta.maxUsedBlockId;
    this.lastFailedHeight = meta.lastFailedHeight;
    this.lastFailedId = meta.lastFailedId;
    this.verification = meta.verified;
    this.#blob = blob;
    this.#load = load;
  }

  get blob(): Uint8Array {
    const blob = this.#blob ?? this.#load(this.id);
    if (blob === undefined) throw new Error(`transaction ${this.key} is missing in storage`);
    return blob;
  }

  /** Keeps the bytes in memory: for one that is about to leave storage while others may hold on to it. */
  pin(): void {
    this.#blob = this.blob;
  }

  /** They are in storage. */
  unpin(): void {
    this.#blob = undefined;
  }

  /** Atomic units per weight, as a double: the order of selection is decided by its rounding too. */
  get rate(): number {
    return Number(this.fee) / Math.max(1, this.weight);
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

  markFailed(height: number, id: Uint8Array): void {
    this.lastFailedHeight = height;
    this.lastFailedId = id;
    this.readyAt = undefined;
  }

  clearFailure(): void {
    this.lastFailedHeight = 0;
    this.lastFailedId = NO_ID;
  }

  /** What storage keeps. */
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
