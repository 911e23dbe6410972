import type { Json, JsonObject } from '../../harness/json.ts';
import type { ChainSample } from '../chain-sample.ts';
import { json, rpc, type ReplayRequest } from '../request.ts';
import { repeat } from './values.ts';

/** Formats of an output distribution. */
const FORMS: readonly JsonObject[] = [
  { binary: false },
  { binary: true },
  { binary: true, compress: true },
];

/** Returns requests about outputs, their distribution and their histogram. */
export function outputRequests({ top }: ChainSample): ReplayRequest[] {
  const outs = (list: Json, more: { [name: string]: Json } = {}): ReplayRequest =>
    json('/get_outs', { outputs: list, ...more });
  const ranges: [Json, Json][] = [
    ...([
      [0, 0],
      [0, 5],
      [5, 0],
      [top, top],
      [10, 5],
      [top + 1, 0],
      [0, top + 1],
    ] as [Json, Json][]),
    [0, 2n ** 64n - 1n],
  ];
  return [
    outs([{ amount: 0, index: 0 }]),
    outs([{ amount: 0, index: 5 }], { get_txid: true }),
    outs([{ amount: 0, index: 10 ** 9 }]),
    outs([{ amount: 7, index: 0 }]),
    outs([{ amount: 0, index: 2n ** 64n - 1n }]),
    outs([{ index: 3 }]),
    outs([{ amount: 0 }]),
    outs([{ amount: '0', index: '3' }]),
    outs([{ amount: -1, index: 3 }]),
    outs([{ amount: 0, index: 3 }, 5]),
    outs(repeat(5000, { amount: 0, index: 1 })),
    outs(repeat(5001, { amount: 0, index: 1 })),
    ...ranges.flatMap(([from_height, to_height]) =>
      FORMS.map((form) =>
        rpc('get_output_distribution', { amounts: [0], from_height, to_height, ...form }),
      ),
    ),
    rpc('get_output_distribution', { amounts: [0], cumulative: true, binary: false }),
    rpc('get_output_distribution', { amounts: [0, 1], binary: false }),
    rpc('get_output_distribution', { amounts: [17_592_186_044_415], binary: false }),
    rpc('get_output_distribution', { amounts: repeat(50, 0), binary: false }),
    rpc('get_output_histogram', { amounts: [0], unlocked: true }),
    rpc('get_output_histogram', { amounts: [0, 5, 0], min_count: 1, max_count: 10 ** 6 }),
    rpc('get_output_histogram', { recent_cutoff: 1 }),
    rpc('get_output_histogram', { amounts: [0], recent_cutoff: 1 }),
  ];
}
