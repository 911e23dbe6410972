import { forkInfo } from '../chain/fork-info.ts';
import { defineMethod } from '../method.ts';
import { f } from '../wire/fields.ts';

export const hardForkInfo = defineMethod({
  names: ['hard_fork_info'],
  summary: 'Tells about a hard fork: from which height it is in force and how blocks vote.',
  restricted: 'served',
  base: 'access',
  request: { version: f.u8() },
  response: {
    earliest_height: f.u64(),
    enabled: f.bool(),
    state: f.u32(),
    threshold: f.u32(),
    version: f.u8(),
    votes: f.u32(),
    voting: f.u8(),
    window: f.u32(),
  },
  handler: (request, context) => forkInfo(request.version, context, context.turn),
});
