import type { RandomSource } from '@monero-node/base';
import { encodeDummy, encodePaddedNotify } from '../levin/frame.ts';
import { COMMANDS } from '../messages/commands.ts';
import { shuffle } from '../peers/shuffle.ts';
import type { Peer } from '../peers/peer.ts';
import { txMessage } from './tx-message.ts';

/** Bytes of every frame, and most frames of one message. */
export const NOISE_BYTES = 3072;
const MAX_FRAGMENTS = 20;
export const NOISE_CHANNELS = 2;
/** Time between two frames of a channel: the minimum, and the range of the random part, in milliseconds. */
const FRAME_MS = { min: 10_000, range: 5_000 };
/** The same for the time between two choices of peers. */
const EPOCH_MS = { min: 300_000, range: 30_000 };

interface Channel {
  peer: Peer | undefined;
  /** Unsent frames of the first message of the queue. */
  active: Uint8Array[];
  queue: Uint8Array[][];
  timer: NodeJS.Timeout | undefined;
}

export interface NoiseOptions {
  /** Outgoing peers that may be chosen. */
  candidates: () => Peer[];
  /** In [0, 1). */
  random: RandomSource;
}

/**
 * Two channels to outgoing peers of an anonymity network. A frame of fixed size is sent on each every ten to fifteen
 * seconds, with or without content, so that an observer of the link cannot see when a transaction is sent.
 * Source: noise_channel and send_noise in src/cryptonote_protocol/levin_notify.cpp
 */
export class NoiseChannels {
  readonly #options: NoiseOptions;
  readonly #channels: Channel[];
  readonly #dummy = encodeDummy(NOISE_BYTES);
  #epoch: NodeJS.Timeout | undefined;

  constructor(options: NoiseOptions) {
    this.#options = options;
    this.#channels = Array.from({ length: NOISE_CHANNELS }, () => ({
      peer: undefined,
      active: [],
      queue: [],
      timer: undefined,
    }));
  }

  /** Channels that have a peer. */
  get connected(): number {
    return this.#channels.filter(({ peer }) => peer !== undefined).length;
  }

  start(): void {
    this.#beginEpoch();
    for (const channel of this.#channels) this.#schedule(channel);
  }

  stop(): void {
    clearTimeout(this.#epoch);
    for (const channel of this.#channels) clearTimeout(channel.timer);
  }

  /** Replaces closed connections and fills free channels. Call it when a connection was made or lost. */
  refresh(): void {
    const candidates = this.#shuffled();
    for (const channel of this.#channels) {
      if (channel.peer && candidates.includes(channel.peer)) continue;
      const free = candidates.find((peer) => !this.#channels.some((other) => other.peer === peer));
      if (free !== channel.peer) this.#connect(channel, free);
    }
  }

  /**
   * Queues transactions on every channel as stem transactions, which the receiver holds back before it relays them.
   * Returns false if they do not fit in twenty frames or no channel has a peer.
   */
  send(txs: readonly Uint8Array[]): boolean {
    const body = txMessage(txs, { fluff: false, pad: false });
    const frames = encodePaddedNotify(NOISE_BYTES, COMMANDS.newTransactions, body);
    if (frames.length > MAX_FRAGMENTS) return false;
    const connected = this.#channels.filter(({ peer }) => peer !== undefined);
    for (const { queue } of connected) queue.push(frames);
    return connected.length > 0;
  }

  #shuffled(): Peer[] {
    const candidates = this.#options.candidates();
    shuffle(candidates, this.#options.random);
    return candidates;
  }

  #delay({ min, range }: { min: number; range: number }): number {
    return min + this.#options.random() * range;
  }

  #beginEpoch(): void {
    const candidates = this.#shuffled();
    for (const [i, channel] of this.#channels.entries()) this.#connect(channel, candidates[i]);
    this.#epoch = setTimeout(() => this.#beginEpoch(), this.#delay(EPOCH_MS));
    this.#epoch.unref();
  }

  /** A message that was partly sent starts again, because its rest alone would be recognizable as a message. */
  #connect(channel: Channel, peer: Peer | undefined): void {
    channel.peer = peer;
    channel.active = [];
    if (!peer) channel.queue = [];
  }

  #schedule(channel: Channel): void {
    channel.timer = setTimeout(() => {
      this.#sendFrame(channel);
      this.#schedule(channel);
    }, this.#delay(FRAME_MS));
    channel.timer.unref();
  }

  #sendFrame(channel: Channel): void {
    const { peer, queue } = channel;
    if (!peer) return;
    if (peer.connection.closed) {
      this.refresh();
      return;
    }
    if (channel.active.length === 0 && queue[0]) channel.active = [...queue[0]];
    const frame = channel.active.shift();
    peer.connection.sendFrames([frame ?? this.#dummy]);
    if (frame && channel.active.length === 0) queue.shift();
  }
}
