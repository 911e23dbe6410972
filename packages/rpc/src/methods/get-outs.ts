import { lookUpOutputs } from '../chain/outputs.ts';
import { defineMethod } from '../method.ts';
import { f, withDefault } from '../wire/fields.ts';
import { defineTable } from '../wire/kinds.ts';

const REQUESTED = defineTable({ amount: f.u64(), index: f.u64() });
const OUTPUT_FIELDS = {
  height: f.u64(),
  key: f.hash(),
  mask: f.hash(),
  txid: f.hash(),
  unlocked: f.bool(),
};
const OUTPUT = defineTable(OUTPUT_FIELDS);
/** The documented binary form repeats the amount; monerod leaves it out, and its wallets ignore it. */
const BINARY_OUTPUT = defineTable({ amount: f.u64(), ...OUTPUT_FIELDS });

export const getOuts = defineMethod({
  paths: ['/get_outs'],
  summary: 'Gives outputs by amount and index.',
  restricted: 'served',
  base: 'access',
  request: { outputs: f.objects(REQUESTED), get_txid: f.bool() },
  response: { outs: f.objects(OUTPUT) },
  handler: async (request, context) => ({
    outs: await lookUpOutputs(context, request.outputs, request.get_txid),
  }),
});

/** The binary form gives transaction ids unless told not to. */
export const getOutsBin = defineMethod({
  binaryPaths: ['/get_outs.bin'],
  summary: 'Gives outputs by amount and index, in binary form.',
  restricted: 'served',
  base: 'access',
  request: { outputs: f.objects(REQUESTED), get_txid: withDefault(f.bool(), true) },
  response: { outs: f.objects(BINARY_OUTPUT) },
  handler: async (request, context) => ({
    outs: await lookUpOutputs(context, request.outputs, request.get_txid),
  }),
});
