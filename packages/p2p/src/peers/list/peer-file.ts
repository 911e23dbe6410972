import { mkdir, readFile, rename, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { formatPeerAddress } from '../../net/address.ts';
import { parsePeerAddress } from '../../net/parse-address.ts';
import type { PeerListSnapshot } from './peer-list.ts';
import type { AnchorPeer, KnownPeer } from './known-peer.ts';

const FILE_NAME = 'p2p-peers.json';
const FORMAT = 1;
/** Bytes; the file of full lists is about a tenth as long. */
const MAX_FILE_SIZE = 8 * 1024 * 1024;

/** The peer lists on disk, as JSON: `{ format, white, gray, anchor }`. */
export class PeerFile {
  readonly #directory: string | undefined;

  /** @param directory undefined: there is no file, and nothing is saved */
  constructor(directory: string | undefined) {
    this.#directory = directory;
  }

  /** Returns the saved lists; undefined when there is no file. Rejects with Error when the file is invalid. */
  async load(): Promise<PeerListSnapshot | undefined> {
    if (this.#directory === undefined) return undefined;
    const path = join(this.#directory, FILE_NAME);
    try {
      if ((await stat(path)).size > MAX_FILE_SIZE) throw new Error('the peer file is too large');
      return toSnapshot(JSON.parse(await readFile(path, 'utf8')));
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
      throw error;
    }
  }

  /** Replaces the whole file atomically. */
  async save(snapshot: PeerListSnapshot): Promise<void> {
    if (this.#directory === undefined) return;
    await mkdir(this.#directory, { recursive: true });
    const path = join(this.#directory, FILE_NAME);
    await writeFile(`${path}.new`, JSON.stringify(fromSnapshot(snapshot)), { mode: 0o600 });
    await rename(`${path}.new`, path);
  }
}

function fromSnapshot(snapshot: PeerListSnapshot): unknown {
  const known = ({ address, id, ...rest }: KnownPeer): unknown => ({
    address: formatPeerAddress(address),
    id: id.toString(16),
    ...rest,
  });
  return {
    format: FORMAT,
    white: snapshot.white.map(known),
    gray: snapshot.gray.map(known),
    anchor: snapshot.anchor.map(({ address, id, firstSeen }) => ({
      address: formatPeerAddress(address),
      id: id.toString(16),
      firstSeen,
    })),
  };
}

type Json = Record<string, unknown>;

function toSnapshot(value: unknown): PeerListSnapshot {
  const file = value as Json | null;
  if (typeof file !== 'object' || file === null || file['format'] !== FORMAT)
    throw new Error('the peer file has an unknown format');
  return {
    white: entries(file['white']).flatMap(toKnownPeer),
    gray: entries(file['gray']).flatMap(toKnownPeer),
    anchor: entries(file['anchor']).flatMap(toAnchor),
  };
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
