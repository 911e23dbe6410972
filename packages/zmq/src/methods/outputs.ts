import { type JsonValue, toHex } from '@monero-node/codec';
import { isUnlocked, rulesFor } from '@monero-node/consensus';
import {
  type HistogramEntry,
  MAX_RESTRICTED_OUTPUTS,
  MAX_RESTRICTED_RECENT_CUTOFF,
  outputHistogram,
  toNumbers,
} from '@monero-node/rpc/shared';
import { defineZmqMethod, type ZmqContext, ZmqFailure } from '../method.ts';
import { read } from '../read-json.ts';

export const getTxGlobalOutputIndices = defineZmqMethod({
  name: 'get_tx_global_output_indices',
  params: { tx_hash: read.hash },
  handler: ({ tx_hash: id }, { services: { chain } }) => {
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
  handler: ({ outputs }, context) => {
    if (context.restricted && outputs.length > MAX_RESTRICTED_OUTPUTS) {
      throw new ZmqFailure('Too many outs requested');
    }
    return { keys: outputKeys(outputs, context) };
  },
});

async function* outputKeys(
  outputs: readonly { readonly amount: bigint; readonly index: bigint }[],
  { services: { chain, commitToAmount }, yielder }: ZmqContext,
): AsyncGenerator<JsonValue> {
  const rules = rulesFor(chain.nextVersion());
  for (const { amount, index } of outputs) {
    await yielder.yieldIfDue();
    const at = Number(index);
    const output = Number.isSafeInteger(at) ? chain.store.output(amount, at) : undefined;
    if (output === undefined) {
      throw new ZmqFailure(
        `Attempting to get output pubkey by index, but key does not exist: amount ${amount}, index ${index}`,
      );
    }
    yield {
      key: toHex(output.key),
      mask: toHex(output.commitment ?? commitToAmount(amount)),
      unlocked: isUnlocked(rules, output.unlockTime, chain.height, () => chain.adjustedTime()),
    };
  }
}

export const getOutputHistogram = defineZmqMethod({
  name: 'get_output_histogram',
  params: {
    amounts: read.u64s,
    min_count: read.u64,
    max_count: read.u64,
    unlocked: read.bool,
    recent_cutoff: read.u64,
  },
  handler: (request, { services: { chain, now }, restricted, yielder }) => {
    if (restricted && request.amounts.length === 0) {
      throw new ZmqFailure(
        'Restricted RPC will not serve histograms on the whole blockchain. Use your own node.',
      );
    }
    if (restricted && request.recent_cutoff < BigInt(now() - MAX_RESTRICTED_RECENT_CUTOFF)) {
      throw new ZmqFailure('Recent cutoff is too old');
    }
    return { histogram: histogramJson(outputHistogram(chain, request, { yielder })) };
  },
});

async function* histogramJson(counts: AsyncIterable<HistogramEntry>): AsyncGenerator<JsonValue> {
  for await (const { amount, total, unlocked, recent } of counts) {
    yield { amount, total_count: total, unlocked_count: unlocked, recent_count: recent };
  }
}

export const getOutputDistribution = defineZmqMethod({
  name: 'get_output_distribution',
  params: {
    amounts: read.u64s,
    from_height: read.u64,
    to_height: read.u64,
    cumulative: read.bool,
  },
  handler: (request, context) => {
    const { amounts } = request;
    if (context.restricted && !(amounts.length === 1 && amounts[0] === 0n)) {
      throw new ZmqFailure(
        'Restricted RPC can only get output distribution for rct outputs. Use your own node.',
      );
    }
    return { status: 'OK', distributions: distributionsJson(request, context) };
  },
});

interface DistributionRequest {
  readonly amounts: readonly bigint[];
  readonly from_height: bigint;
  readonly to_height: bigint;
  readonly cumulative: boolean;
}

async function* distributionsJson(
  request: DistributionRequest,
  { services: { chain, distributions }, yielder }: ZmqContext,
): AsyncGenerator<JsonValue> {
  const { amounts, cumulative } = request;
  const from = Number(request.from_height);
  const to = request.to_height === 0n ? chain.height - 1 : Number(request.to_height);
  for (const amount of amounts) {
    const found = await distributions.get(chain, { amount, from, to, cumulative }, { yielder });
    if (found === undefined) throw new ZmqFailure('Failed to get output distribution');
    const { counts, startHeight, base } = found;
    const distribution = await toNumbers(counts, yielder);
    yield { distribution, amount, start_height: startHeight, base };
  }
}
