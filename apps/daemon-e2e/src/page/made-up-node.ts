import { readFileSync } from 'node:fs';
import { seededRandom, type RandomSource } from '@monero-node/base';
import {
  RANGES,
  type BlockRow,
  type BlocksChange,
  type ChangeMessage,
  type History,
  type LogRow,
  type PeerRow,
  type PagePoint,
  type PointChange,
  type PoolFacts,
  type RangeName,
  type Sections,
  type StateMessage,
  type Track,
} from '@monero-node/dashboard';
import { chainFacts } from '../chain/fixture.ts';

/** The version of this repository, so that no picture shows an old one. */
const { version: VERSION } = JSON.parse(
  readFileSync(new URL('../../../../package.json', import.meta.url), 'utf8'),
) as { version: string };
const XMR = 1e12;
const LOWEST_FEE = 20_480;
const DAY = 86_400;
const BLOCK_TIME = 120;

/** Addresses that documentation may use, and one of a hidden service. */
const ADDRESSES = ['192.0.2.', '198.51.100.', '203.0.113.'];
const ONION = `${'monerod'.repeat(8)}.onion:18083`;

/** By number: incoming peers that the page offers no ban of, a client of a hidden service and a program on the same machine. */
const NOT_BANNED: ReadonlyMap<number, string> = new Map([
  [14, '<unknown tor host>'],
  [20, '127.0.0.1:51324'],
]);

const LINES: readonly [level: string, category: string, text: string][] = [
  ['INFO', 'global', `monero-node (v${VERSION})`],
  ['INFO', 'global', 'mainnet node started at height 3706899'],
  ['INFO', 'global', 'P2P: 0.0.0.0:18080 (public)'],
  ['INFO', 'global', 'RPC: 127.0.0.1:18081 (local only)'],
  ['INFO', 'global', 'You are now synchronized with the network.'],
  [
    'WARNING',
    'net.p2p',
    'A peer at 203.0.113.9 was banned for a day: a block with a bad signature.',
  ],
  ['INFO', 'global', 'Mining has started with 2 threads, good luck! (native)'],
];

/** A mainnet node that does not exist: a state, and the changes of the seconds after it. The same ones every time. */
export class MadeUpNode {
  readonly #random: RandomSource;
  readonly #start: number;
  readonly #peers: PeerRow[];
  #blocks: BlockRow[];
  #seconds = 0;
  #bytesIn = 41.3e9;
  #bytesOut = 187.6e9;
  #lines = LINES.length;

  /** @param start Unix seconds at which its time begins */
  constructor(start: number) {
    this.#random = seededRandom(39);
    this.#start = start;
    this.#peers = Array.from({ length: 22 }, (_, i) => this.#peer(i));
    this.#blocks = [];
    for (let i = 30; i > 0; i--)
      this.#blocks.push(this.#block(3_706_912 - i, start - i * 117 + 83));
  }

  /** Returns the state, as if the node had run for a day. */
  state(script: string): StateMessage {
    return {
      now: this.#now * 1000,
      script,
      blocks: this.#blocks,
      history: this.#history(),
      node: {
        network: 'mainnet',
        view: 'owner',
        version: VERSION,
        processors: 8,
        startedAt: this.#start - 6 * DAY - 15_000,
      },
      sections: { ...this.#sections(), peers: this.#peerFacts() },
      log: LINES.map((line, i) => this.#line(i + 1, line, this.#start - (LINES.length - i) * 977)),
    };
  }

  /** Returns the change after the next second. */
  next(): ChangeMessage {
    this.#seconds++;
    this.#bytesIn += 40_000;
    this.#bytesOut += 90_000;
    const points: PointChange[] = [];
    for (const range of ['hour', 'day', 'month'] as const) {
      if (this.#seconds % RANGES[range].step === 0) points.push(this.#pointChange(range));
    }
    return {
      now: this.#now * 1000,
      sections: {
        ...this.#sections(),
        ...(this.#seconds % 3 === 0 ? { peers: this.#peerFacts() } : {}),
      },
      ...(this.#seconds % BLOCK_TIME === 0 ? { blocks: this.#newBlock() } : {}),
      ...(this.#seconds % 600 === 0 ? { log: [this.#newLine()] } : {}),
      ...(points.length > 0 ? { points } : {}),
    };
  }

  get #now(): number {
    return this.#start + this.#seconds;
  }

  #between(least: number, most: number): number {
    return least + (most - least) * this.#random();
  }

  #whole(least: number, most: number): number {
    return Math.floor(this.#between(least, most + 1));
  }

  #peer(i: number): PeerRow {
    const isOnion = i === 7;
    const ip = `${ADDRESSES[i % 3]}${this.#whole(1, 254)}:18080`;
    const address = isOnion ? ONION : (NOT_BANNED.get(i) ?? ip);
    return {
      id: i.toString(16).padStart(12, '0'),
      address,
      host: NOT_BANNED.has(i) ? null : address.replace(/:\d+$/, ''),
      zone: isOnion || i === 14 ? 'Tor' : 'IPv4',
      incoming: i >= 12,
      roundTrip: this.#whole(isOnion ? 400 : 9, isOnion ? 700 : 240),
      height: 3_706_912 - (i === 15 ? 4 : 0),
      isSynchronizing: i === 15,
      isPruned: i % 5 === 3,
      age: this.#whole(120, 400_000),
      bytesIn: this.#whole(1e6, 9e9),
      bytesOut: this.#whole(1e6, 9e9),
    };
  }

  #peerFacts(): Sections['peers'] {
    const rows = this.#peers.map((peer) => ({
      ...peer,
      age: peer.age + this.#seconds,
      height: peer.height + this.#newBlocks,
      bytesIn: peer.bytesIn + this.#whole(0, 5000) + this.#seconds * 100,
    }));
    return { incoming: 10, outgoing: 12, rows };
  }

  get #newBlocks(): number {
    return Math.floor(this.#seconds / BLOCK_TIME);
  }

  #block(height: number, timestamp: number): BlockRow {
    const transactions = this.#whole(8, 95);
    const fees = transactions * this.#whole(30, 90) * 1e6;
    const id = Array.from({ length: 8 }, () => this.#whole(2 ** 28, 2 ** 32 - 1).toString(16)).join(
      '',
    );
    const weight = 2000 + transactions * this.#whole(1600, 2400);
    return { height, id, timestamp, transactions, weight, fees, reward: 0.6 * XMR + fees };
  }

  #newBlock(): BlocksChange {
    const from = 3_706_911 + this.#newBlocks;
    const added = [this.#block(from, this.#now)];
    this.#blocks = [...this.#blocks, ...added].slice(-30);
    return { from, added };
  }

  #line(number: number, [level, category, text]: (typeof LINES)[number], seconds: number): LogRow {
    return { number, level, category, text, time: seconds * 1000 };
  }

  #newLine(): LogRow {
    return this.#line(++this.#lines, LINES[5] ?? ['', '', ''], this.#now);
  }

  #pool(): PoolFacts {
    const counts = [0, 34, 3, 12, 5, 9, 2, 0, 3, 1].map((count) =>
      Math.round(count * this.#between(0.8, 1.2)),
    );
    const bands = counts.map((count, i) => ({
      from: i === 0 ? 0 : LOWEST_FEE * 2 ** (i - 1),
      count,
      weight: count * this.#whole(1600, 2300),
    }));
    const sum = (key: 'count' | 'weight') => bands.reduce((total, band) => total + band[key], 0);
    return { count: sum('count'), weight: sum('weight'), oldest: this.#now - 214, bands };
  }

  #sections(): Partial<Sections> {
    const difficulty = 652_418_190_027;
    const height = 3_706_912 + this.#newBlocks;
    return {
      chain: {
        height,
        target: height,
        synchronized: true,
        blocksPerSecond: 0,
        difficulty,
        hashRate: difficulty / 120,
        blockTime: 120,
        version: 16,
        weightMedian: 300_000,
        saturation: 0,
      },
      pool: this.#pool(),
      fees: { perByte: [20_480, 81_920, 327_680, 4_096_000] },
      mining: {
        active: true,
        threads: 2,
        speed: this.#between(1480, 1530),
        background: false,
        address: chainFacts().wallets[0]?.address ?? '',
      },
      traffic: {
        bytesIn: this.#bytesIn,
        bytesOut: this.#bytesOut,
        rateIn: this.#whole(31_000, 52_000),
        rateOut: this.#whole(70_000, 120_000),
      },
      disk: { chainBytes: 231.4e9, freeBytes: 512.8e9, stripe: 3 },
      update: {
        isChecking: true,
        checkedAt: this.#start - 3000,
        newer: null,
        failure: null,
      },
    };
  }

  #point(at: number): PagePoint {
    const phase = (2 * Math.PI * at) / DAY;
    return {
      bytesIn: Math.round(42_000 + 15_000 * Math.sin(phase) + this.#between(-4000, 4000)),
      bytesOut: Math.round(95_000 + 40_000 * Math.sin(phase + 1) + this.#between(-9000, 9000)),
      hashes: at > this.#start - 16_000 ? Math.round(this.#between(1460, 1540)) : 0,
      pool: Math.max(0, Math.round(60 + 35 * Math.sin(phase * 9) + this.#between(-6, 6))),
      peers: Math.round(21.5 + 1.5 * Math.sin(phase * 5)),
    };
  }

  #pointChange(range: RangeName): PointChange {
    const { step } = RANGES[range];
    const at = Math.floor(this.#now / step) * step;
    return { range, at, values: this.#point(at) };
  }

  #history(): History {
    return {
      hour: this.#track('hour'),
      day: this.#track('day'),
      month: this.#track('month'),
    };
  }

  #track(range: RangeName): Track {
    const { points, step } = RANGES[range];
    const end = Math.floor(this.#start / step) * step;
    const all = Array.from({ length: points }, (_, i) =>
      this.#point(end - (points - 1 - i) * step),
    );
    const series = Object.fromEntries(
      (['bytesIn', 'bytesOut', 'hashes', 'pool', 'peers'] as const).map((name) => [
        ...[name, all.map((point) => point[name] ?? null)],
      ]),
    );
    return { end, series };
  }
}
