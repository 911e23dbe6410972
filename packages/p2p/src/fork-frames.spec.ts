import { Yielder } from '@monero-node/base';
import {
  recordedBlocks,
  recordedForkChain,
  recordedNetwork,
  startTestChain,
} from '@monero-node/blockchain/testing';
import { decodeMessage, encodeMessage, toHex } from '@monero-node/codec';
import type { Table } from '@monero-node/codec/portable-storage';
import {
  HANDSHAKE_REQUEST,
  HANDSHAKE_RESPONSE,
  TIMED_SYNC_REQUEST,
  TIMED_SYNC_RESPONSE,
} from './messages/admin.ts';
import {
  NEW_BLOCK,
  REQUEST_FLUFFY_MISSING,
  REQUEST_OBJECTS,
  RESPONSE_OBJECTS,
} from './messages/blocks.ts';
import { REQUEST_CHAIN, RESPONSE_CHAIN } from './messages/chain.ts';
import { COMMANDS } from './messages/commands.ts';
import { NEW_TRANSACTIONS, TXPOOL_COMPLEMENT } from './messages/transactions.ts';
import { Violation } from './peers/bans/violation.ts';
import { missingTransactionsFor } from './serve/blocks.ts';
import { ChainEntries, ownSyncData } from './serve/chain.ts';
import { readForkFrames, type ForkFrame } from './testing/recorded/fork-frames.ts';
import { servedBody } from './testing/served.ts';

const frames = readForkFrames();
/** Ids of transactions, and a request for some, which only nodes with support flag 2 send. This node has it not. */
const RELAY_V2 = [2011, 2012];

const TABLES: Readonly<Record<number, Partial<Record<ForkFrame['kind'], Table>>>> = {
  [COMMANDS.handshake]: { request: HANDSHAKE_REQUEST, response: HANDSHAKE_RESPONSE },
  [COMMANDS.timedSync]: { request: TIMED_SYNC_REQUEST, response: TIMED_SYNC_RESPONSE },
  [COMMANDS.newTransactions]: { notification: NEW_TRANSACTIONS },
  [COMMANDS.requestObjects]: { notification: REQUEST_OBJECTS },
  [COMMANDS.responseObjects]: { notification: RESPONSE_OBJECTS },
  [COMMANDS.requestChain]: { notification: REQUEST_CHAIN },
  [COMMANDS.responseChain]: { notification: RESPONSE_CHAIN },
  [COMMANDS.newFluffyBlock]: { notification: NEW_BLOCK },
  [COMMANDS.requestFluffyMissing]: { notification: REQUEST_FLUFFY_MISSING },
  [COMMANDS.txpoolComplement]: { notification: TXPOOL_COMPLEMENT },
};

/** The bodies of a command, in their order. */
const bodies = (command: number, from: ForkFrame['from']) =>
  frames
    .filter((frame) => frame.command === command && frame.from === from)
    .map(({ body }) => body);

const known = frames.filter(({ command }) => !RELAY_V2.includes(command));

test.each(known.map((frame, i) => [i, frame] as const))(
  'message %i between nodes of version 18 is decoded and encoded to the same bytes',
  (_, { command, kind, body }) => {
    const table = TABLES[command]?.[kind];
    expect(table).toBeDefined();
    if (table) expect(toHex(encodeMessage(table, decodeMessage(table, body)))).toBe(toHex(body));
  },
);

/** Opens the recorded chain with its blocks below a height. Nobody looks at its proofs. */
async function chainOf(height: number) {
  const recorded = recordedForkChain('short');
  const { chain } = await startTestChain(recordedNetwork(recorded));
  await chain.addSpan(recordedBlocks(recorded, 1, height), { trust: true });
  expect(chain.height).toBe(height);
  return chain;
}

test('a node without blocks presents itself and asks as upstream does', async () => {
  const chain = await chainOf(1);
  const [introduction] = bodies(COMMANDS.handshake, 'B');
  const { payload_data } = decodeMessage(HANDSHAKE_REQUEST, introduction as Uint8Array);
  expect(ownSyncData(chain)).toEqual(payload_data);
  const request = encodeMessage(REQUEST_CHAIN, { block_ids: chain.shortHistory(), prune: false });
  expect(bodies(COMMANDS.requestChain, 'B').map(toHex)).toEqual([toHex(request)]);
});

test('a node of version 18 answers requests for ids and for blocks as upstream does', async () => {
  const chain = await chainOf(103);
  const [introduction] = bodies(COMMANDS.handshake, 'A');
  const { payload_data } = decodeMessage(HANDSHAKE_RESPONSE, introduction as Uint8Array);
  expect(ownSyncData(chain)).toEqual(payload_data);

  const [asked] = bodies(COMMANDS.requestChain, 'B');
  const request = decodeMessage(REQUEST_CHAIN, asked as Uint8Array);
  const entry = await new ChainEntries(chain).answer(request, new Yielder());
  expect(bodies(COMMANDS.responseChain, 'A').map(toHex)).toEqual([toHex(entry as Uint8Array)]);

  const served: string[] = [];
  for (const body of bodies(COMMANDS.requestObjects, 'B'))
    served.push(toHex(await servedBody(chain, decodeMessage(REQUEST_OBJECTS, body))));
  expect(served).toHaveLength(2);
  expect(served).toEqual(bodies(COMMANDS.responseObjects, 'A').map(toHex));
});

test('a node of version 18 answers a request for missing transactions as upstream does', async () => {
  const chain = await chainOf(106);
  const [asked] = bodies(COMMANDS.requestFluffyMissing, 'B');
  const answer = missingTransactionsFor(
    chain,
    decodeMessage(REQUEST_FLUFFY_MISSING, asked as Uint8Array),
  );
  expect(answer).not.toBeInstanceOf(Violation);
  if (answer instanceof Violation) return;
  const sent = bodies(COMMANDS.newFluffyBlock, 'A').at(-1) as Uint8Array;
  expect(toHex(encodeMessage(NEW_BLOCK, answer))).toBe(toHex(sent));
});
