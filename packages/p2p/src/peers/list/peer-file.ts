import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { formatPeerAddress, type Zone } from '../../net/address.ts';
import { parsePeerAddress } from '../../net/parse-address.ts';
import type { PeerListSnapshot } from './peer-list.ts';
import type { AnchorPeer, KnownPeer } from './known-peer.ts';

const FILE_NAME = 'p2p-peers.json';
const FORMAT = 1;
/** Bytes; the file of full lists is about a tenth as long. */
const MAX_FILE_SIZE = 8 * 1024 * 1024;

const ZONES: readonly Zone[] = ['public', 'i2p', 'tor', 'libp2p'];

/** When peers of a network have come to this node. Unix seconds. */
export interface IncomingTimes {
  /** The first one ever. */
  readonly first: number;
  /** When one was connected last. */
  readonly last: number;
}

/** The networks from which anybody has ever come. */
export type IncomingByZone = Partial<Readonly<Record<Zone, IncomingTimes>>>;

/** What is kept about peers over restarts. */
export interface SavedPeerFacts {
  readonly lists: PeerListSnapshot;
  readonly incoming: IncomingByZone;
}

/**
 * The peer lists on disk, and when anybody came in, as JSON: `{ format, white, gray, anchor, incoming }`. Files of older versions have no
 * `incoming`, and older versions ignore it.
 */
export class PeerFile {
  readonly #directory: string | undefined;

  /** @param directory undefined: there is no file, and nothing is saved */
  constructor(directory: string | undefined) {
    this.#directory = directory;
  }

  /** Returns what was saved; undefined when there is no file. Rejects with Error when the file is invalid. */
  async load(): Promise<SavedPeerFacts | undefined> {
    if (this.#directory === undefined) return undefined;
    const path = join(this.#directory, FILE_NAME);
    try {
      if ((await stat(path)).size > MAX_FILE_SIZE) throw new Error('the peer file is too large');
      return toFacts(JSON.parse(await readFile(path, 'utf8')));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  /** Replaces the whole file atomically. */
  async save(facts: SavedPeerFacts): Promise<void> {
    if (this.#directory === undefined) return;
    await mkdir(this.#directory, { recursive: true });
    const path = join(this.#directory, FILE_NAME);
    await writeFile(`${path}.new`, JSON.stringify(fromFacts(facts)), { mode: 0o600 });
    await rename(`${path}.new`, path);
  }
}

function fromFacts({ lists, incoming }: SavedPeerFacts): unknown {
  const known = ({ address, id, ...rest }: KnownPeer): unknown => ({
    address: formatPeerAddress(address),
    id: id.toString(16),
    ...rest,
  });
  return {
    format: FORMAT,
    white: lists.white.map(known),
    gray: lists.gray.map(known),
    anchor: lists.anchor.map(({ address, id, firstSeen }) => ({
      address: formatPeerAddress(address),
      id: id.toString(16),
      firstSeen,
    })),
    incoming,
  };
}

type Json = Record<string, unknown>;

function toFacts(value: unknown): SavedPeerFacts {
  const file = value as Json | null;
  if (typeof file !== 'object' || file === null || file['format'] !== FORMAT)
    throw new Error('the peer file has an unknown format');
  const lists = {
    white: entries(file['white']).flatMap(toKnownPeer),
    gray: entries(file['gray']).flatMap(toKnownPeer),
    anchor: entries(file['anchor']).flatMap(toAnchor),
  };
  return { lists, incoming: toIncoming(file['incoming']) };
}

function toIncoming(value: unknown): IncomingByZone {
  const saved = (typeof value === 'object' && value !== null ? value : {}) as Json;
  return Object.fromEntries(
    ZONES.flatMap((zone) => {
      const times = saved[zone] as Json | null | undefined;
      const [first, last] = [count(times?.['first']), count(times?.['last'])];
      return first > 0 && last >= first ? [[zone, { first, last }]] : [];
    }),
  );
}

function entries(value: unknown): Json[] {
  return Array.isArray(value) ? value.filter((entry) => typeof entry === 'object' && entry) : [];
}

/** Returns one peer, or an empty list when the entry is invalid. */
function toKnownPeer(entry: Json): KnownPeer[] {
  const address = parsePeerAddress(String(entry['address']), 0);
  const id = parseId(entry['id']);
  if (!address || id === undefined) return [];
  return [
    {
      address,
      id,
      lastSeen: count(entry['lastSeen']),
      pruningSeed: count(entry['pruningSeed']),
      rpcPort: count(entry['rpcPort']),
      rpcCreditsPerHash: count(entry['rpcCreditsPerHash']),
    },
  ];
}

function toAnchor(entry: Json): AnchorPeer[] {
  const address = parsePeerAddress(String(entry['address']), 0);
  const id = parseId(entry['id']);
  if (!address || id === undefined) return [];
  return [{ address, id, firstSeen: count(entry['firstSeen']) }];
}

function parseId(value: unknown): bigint | undefined {
  return typeof value === 'string' && /^[0-9a-f]{1,16}$/.test(value)
    ? BigInt(`0x${value}`)
    : undefined;
}

function count(value: unknown): number {
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : 0;
}
