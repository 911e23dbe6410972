import { defineZmqMethod, NOT_SERVED, type ZmqContext, ZmqFailure } from '../method.ts';
import type { ZmqMining } from '../mining.ts';
import { read } from '../read-json.ts';

function miningOf({ mining }: ZmqContext): ZmqMining {
  if (mining === undefined) throw new ZmqFailure(NOT_SERVED);
  return mining;
}

export const miningStatus = defineZmqMethod({
  name: 'mining_status',
  restricted: 'hidden',
  params: {},
  handler: (_params, context) => {
    const { active, speed, threads, address, background } = miningOf(context).status();
    return {
      active,
      speed,
      threads_count: threads,
      address,
      is_background_mining_enabled: background,
    };
  },
});

export const startMining = defineZmqMethod({
  name: 'start_mining',
  restricted: 'hidden',
  params: {
    miner_address: read.text,
    threads_count: read.u64,
    do_background_mining: read.bool,
    ignore_battery: read.bool,
  },
  handler: async (params, context) => {
    const refused = await miningOf(context).start({
      address: params.miner_address,
      threads: Number(params.threads_count),
      background: params.do_background_mining,
      ignoreBattery: params.ignore_battery,
    });
    if (refused !== undefined) throw new ZmqFailure(refused);
    return {};
  },
});

export const stopMining = defineZmqMethod({
  name: 'stop_mining',
  restricted: 'hidden',
  params: {},
  handler: async (_params, context) => {
    if (!(await miningOf(context).stop())) throw new ZmqFailure('Failed, mining not stopped');
    return {};
  },
});
