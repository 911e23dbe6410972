import { toHex } from '@monero-node/codec';
import type { JetStreamManager } from '@nats-io/jetstream';
import { readEntryHeaders, tipAfter, tipBefore } from '../broker/entry-facts.ts';
import { messageAt, type ChainStreamState } from '../broker/streams.ts';
import type { Position } from './handlers.ts';

/**
 * Resolves to the sequence of the first message that a consumer lacks, or undefined when the stream does not continue the
 * consumer's chain: because it keeps too little, or is another one than before.
 */
export async function joinSequence(
  manager: JetStreamManager,
  stream: string,
  { tip, state }: { readonly tip: Position | undefined; readonly state: ChainStreamState },
): Promise<number | undefined> {
  const sequence = tip?.sequence;
  if (tip === undefined || sequence === undefined || sequence > state.lastSequence)
    return undefined;
  if (sequence >= state.firstSequence) {
    const message = await messageAt(manager, stream, sequence);
    if (message === undefined) return undefined;
    const facts = readEntryHeaders(message.header);
    const isSame = facts.part + 1 === facts.parts && isAt(tip, tipAfter(facts));
    return isSame ? sequence + 1 : undefined;
  }
  if (sequence + 1 !== state.firstSequence) return undefined;
  const next = await messageAt(manager, stream, sequence + 1);
  if (next === undefined) return undefined;
  const facts = readEntryHeaders(next.header);
  return facts.part === 0 && isAt(tip, tipBefore(facts)) ? sequence + 1 : undefined;
}

function isAt(
  tip: Position,
  block: { readonly height: number; readonly id: string } | undefined,
): boolean {
  return block?.height === tip.height && block.id === toHex(tip.id);
}
