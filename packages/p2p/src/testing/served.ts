import { Yielder } from '@monero-node/base';
import { concatBytes, decodeMessage } from '@monero-node/codec';
import { RESPONSE_OBJECTS } from '../messages/blocks.ts';
import type { RequestObjects, ResponseObjects } from '../messages/blocks.ts';
import { RESPONSE_CHAIN } from '../messages/chain.ts';
import type { RequestChain, ResponseChain } from '../messages/chain.ts';
import { Violation } from '../peers/bans/violation.ts';
import type { ChainForP2p } from '../contract/chain-for-p2p.ts';
import { objectsFor } from '../serve/blocks.ts';
import { ChainEntries } from '../serve/chain.ts';

/** Returns the body of the answer to a request for blocks, as a peer receives it. Throws Error when it is refused. */
export async function servedBody(chain: ChainForP2p, request: RequestObjects): Promise<Uint8Array> {
  const answer = await objectsFor(chain, request, new Yielder());
  if (answer instanceof Violation) throw new Error(answer.reason);
  const pieces: Uint8Array[] = [];
  for (let next = answer.pieces.next(); next.done !== true; next = answer.pieces.next())
    pieces.push(next.value);
  const body = concatBytes(...pieces);
  if (body.length !== answer.length) throw new Error(`${body.length} bytes, not ${answer.length}`);
  return body;
}

/** Returns the decoded answer to a request for blocks. Throws Error when it is refused. */
export async function servedObjects(
  chain: ChainForP2p,
  request: RequestObjects,
): Promise<ResponseObjects> {
  return decodeMessage(RESPONSE_OBJECTS, await servedBody(chain, request));
}

/** Returns the decoded answer to a chain request; undefined when there is none. */
export async function servedChain(
  chain: ChainForP2p,
  request: RequestChain,
): Promise<ResponseChain | undefined> {
  const body = await new ChainEntries(chain).answer(request, new Yielder());
  return body && decodeMessage(RESPONSE_CHAIN, body);
}
