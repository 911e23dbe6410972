import { isUnlocked, rulesFor } from '@monero-node/consensus';
import { toHex, type JsonValue } from '@monero-node/codec';
import { outputHistogram } from '../../outputs/output-histogram.ts';
import { MAX_RESTRICTED_OUTPUTS, MAX_RESTRICTED_RECENT_CUTOFF } from '../../limits.ts';
import { defineZmqMethod, ZmqFailure } from '../method.ts';
import { read } from '../read-json.ts';

export const getTxGlobalOutputIndices = defineZmqMethod({
  name: 'get_tx_global_output_indices',
  params: { tx_hash: read.hash },
  handler: ({ tx_hash: id }, { chain }) => {
    const place = chain.store.txLocation(id);
    if (place === undefined) throw new ZmqFailure('core::get_tx_outputs_gindexs() returned false');
    return { output_indices: chain.store.outputIndices(place.height, place.position) };
  },
});

const OUTPUT = read.object({ amount: read.u64, index: read.u64 });
const OUTPUTS = read.list(OUTPUT);

export const getOutputKeys = defineZmqMethod({
  name: 'get_output_keys',
  params: {
    outputs: OUTPUTS,
  },
  handler: async ({ outputs }, { chain, commitToAmount, restricted, yielder }) => {
    if (restricted && outputs.length > MAX_RESTRICTED_OUTPUTS) {
      throw new ZmqFailure('Too many outs requested');
    }
    const rules = rulesFor(chain.nextVersion());
    const keys: JsonValue[] = [];
    for (const { amount, index } of outputs) {
      await yielder.yieldIfDue();
      const at = Number(index);
      const output = Number.isSafeInteger(at) ? chain.store.output(amount, at) : undefined;
      if (output === undefined) {
        throw new ZmqFailure(
          `Attempting to get output pubkey by index, but key does not exist: amount ${amount}, index ${index}`,
        );
      }
      keys.push({
        key: toHex(output.key),
        mask: toHex(output.commitment ?? commitToAmount(amount)),
        unlocked: isUnlocked(rules, output.unlockTime, chain.height, () => chain.adjustedTime()),
      });
    }
    return { keys };
  },
});

export const getOutputHistogram = defineZmqMethod({
  name: 'get_output_histogram',
  params: {
    amounts: read.u64s,
    min_count: read.u64,
    max_count: read.u64,
    unlocked: read.bool,
    recent_cutoff: read.u64,
  },
  handler: async (request, { chain, restricted, now, yielder }) => {
    if (restricted && request.amounts.length === 0) {
      throw new ZmqFailure(
        'Restricted RPC will not serve histograms on the whole blockchain. Use your own node.',
      );
    }
    if (restricted && request.recent_cutoff < BigInt(now() - MAX_RESTRICTED_RECENT_CUTOFF)) {
      throw new ZmqFailure('Recent cutoff is too old');
    }
    const counts = await outputHistogram(chain, request, yielder);
    return {
      histogram: counts.map(({ amount, total, unlocked, recent }) => ({
        amount,
        total_count: total,
        unlocked_count: unlocked,
        recent_count: recent,
      })),
    };
  },
});

export const getOutputDistribution = defineZmqMethod({
  name: 'get_output_distribution',
  params: {
    amounts: read.u64s,
    from_height: read.u64,
    to_height: read.u64,
    cumulative: read.bool,
  },
  handler: async (request, { chain, distributions, restricted, yielder }) => {
    const { amounts, cumulative } = request;
    if (restricted && !(amounts.length === 1 && amounts[0] === 0n)) {
      throw new ZmqFailure(
        'Restricted RPC can only get output distribution for rct outputs. Use your own node.',
      );
    }
    const from = Number(request.from_height);
    const to = request.to_height === 0n ? chain.height - 1 : Number(request.to_height);
    const answers: JsonValue[] = [];
    for (const amount of amounts) {
      const found = await distributions.get(chain, { amount, from, to, cumulative }, yielder);
      if (found === undefined) throw new ZmqFailure('Failed to get output distribution');
      const { counts, startHeight, base } = found;
      answers.push({
        distribution: Array.from(counts),
        amount,
        start_height: startHeight,
        base,
      });
    }
    return { status: 'OK', distributions: answers };
  },
});
