import { makeTemplate, templateAnswer } from '../chain/block-template.ts';
import { defineMethod } from '../method.ts';
import { f, omitDefault } from '../wire/fields.ts';

export const getBlockTemplate = defineMethod({
  names: ['get_block_template', 'getblocktemplate'],
  summary: 'Makes a block that lacks only its proof of work.',
  restricted: 'served',
  available: ({ templates }) => templates !== undefined,
  base: 'basic',
  request: {
    extra_nonce: f.text(),
    prev_block: f.text(),
    reserve_size: f.u64(),
    wallet_address: f.text(),
  },
  response: {
    blockhashing_blob: f.hex(),
    blocktemplate_blob: f.hex(),
    cumulative_weight: omitDefault(f.u64()),
    difficulty: f.u64(),
    difficulty_top64: f.u64(),
    expected_reward: f.u64(),
    height: f.u64(),
    next_seed_hash: f.text(),
    prev_hash: f.hash(),
    reserved_offset: f.u64(),
    seed_hash: f.hash(),
    seed_height: f.u64(),
    wide_difficulty: f.text(),
  },
  handler: async (request, context) => templateAnswer(await makeTemplate(request, context)),
});
