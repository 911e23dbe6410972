import { DecodeError } from '@monero-node/codec';
import { headers, type MsgHdrs } from '@nats-io/transport-node';
import { isEncoding, type Encoding } from '../encoding/encoding.ts';

/** A block by what the stream says of it. Ids are 64 hex digits. */
export interface StreamTip {
  readonly height: number;
  readonly id: string;
  /** Below 2^128. */
  readonly cumulativeDifficulty: bigint;
}

/** The facts in the headers of every message of the chain's stream, so that they can be read without its body. */
export interface EntryFacts {
  readonly type: 'block.added' | 'block.removed';
  readonly encoding: Encoding;
  readonly height: number;
  readonly id: string;
  readonly previous: string;
  /** Of this block. */
  readonly difficulty: bigint;
  /** Of the chain up to and including this block. */
  readonly cumulativeDifficulty: bigint;
  /** From 0. */
  readonly part: number;
  readonly parts: number;
}

/** Most parts of one message: 256 MiB, more than a block can make. */
export const MAX_PARTS = 1024;

/** Returns the headers that tell facts. */
export function entryHeaders(facts: EntryFacts): MsgHdrs {
  const all = headers();
  all.set('Monero-Type', facts.type);
  all.set('Monero-Encoding', facts.encoding);
  all.set('Monero-Height', String(facts.height));
  all.set('Monero-Id', facts.id);
  all.set('Monero-Previous', facts.previous);
  all.set('Monero-Difficulty', String(facts.difficulty));
  all.set('Monero-Cumulative-Difficulty', String(facts.cumulativeDifficulty));
  all.set('Monero-Part', String(facts.part));
  all.set('Monero-Parts', String(facts.parts));
  return all;
}

/** Reads the facts. Throws DecodeError when one is missing or malformed. */
export function readEntryHeaders(all: MsgHdrs | undefined): EntryFacts {
  const type = all?.get('Monero-Type');
  if (type !== 'block.added' && type !== 'block.removed') throw wrong('Type');
  const parts = count(all, 'Parts');
  const part = count(all, 'Part');
  if (parts < 1 || parts > MAX_PARTS || part >= parts) throw wrong('Part');
  return {
    type,
    encoding: readEncoding(all),
    height: count(all, 'Height'),
    id: id(all, 'Id'),
    previous: id(all, 'Previous'),
    difficulty: difficulty(all, 'Difficulty'),
    cumulativeDifficulty: difficulty(all, 'Cumulative-Difficulty'),
    part,
    parts,
  };
}

/** Reads the header that names the encoding. Throws DecodeError. */
export function readEncoding(all: MsgHdrs | undefined): Encoding {
  const encoding = all?.get('Monero-Encoding') ?? '';
  if (!isEncoding(encoding)) throw wrong('Encoding');
  return encoding;
}

/** Returns the newest block before a message; undefined before the first block. */
export function tipBefore(facts: EntryFacts): StreamTip | undefined {
  if (facts.type === 'block.removed') return tipOf(facts);
  return facts.height === 0 ? undefined : parentOf(facts);
}

/** Returns the newest block after all parts of a message. */
export function tipAfter(facts: EntryFacts): StreamTip | undefined {
  return facts.type === 'block.added' ? tipOf(facts) : parentOf(facts);
}

function tipOf({ height, id: own, cumulativeDifficulty }: EntryFacts): StreamTip {
  return { height, id: own, cumulativeDifficulty };
}

function parentOf(facts: EntryFacts): StreamTip {
  return {
    height: facts.height - 1,
    id: facts.previous,
    cumulativeDifficulty: facts.cumulativeDifficulty - facts.difficulty,
  };
}

function count(all: MsgHdrs | undefined, name: string): number {
  const text = all?.get(`Monero-${name}`) ?? '';
  if (!/^\d{1,10}$/.test(text)) throw wrong(name);
  return Number(text);
}

function id(all: MsgHdrs | undefined, name: string): string {
  const text = all?.get(`Monero-${name}`) ?? '';
  if (!/^[0-9a-f]{64}$/.test(text)) throw wrong(name);
  return text;
}

function difficulty(all: MsgHdrs | undefined, name: string): bigint {
  const text = all?.get(`Monero-${name}`) ?? '';
  if (!/^\d{1,39}$/.test(text)) throw wrong(name);
  return BigInt(text);
}

function wrong(name: string): DecodeError {
  return new DecodeError(`header Monero-${name} is missing or malformed`);
}
