import type { ParsedTransaction } from '@monero-node/codec';
import { absoluteOffsets } from '@monero-node/codec/key-offsets';
import type { CallOptions } from './call-options.ts';
import type { RpcClient } from './client.ts';
import { RpcAnswerError } from './errors.ts';

/** Most outputs that a restricted server returns in one answer. Source: core_rpc_server.cpp, MAX_RESTRICTED_GLOBAL_FAKE_OUTS_COUNT. */
const MOST_OUTPUTS = 5000;

/** A member of a ring: the one-time key of an output and its commitment, 32 bytes each. */
export interface FetchedRingMember {
  readonly key: Uint8Array;
  readonly commitment: Uint8Array;
}

/**
 * Returns the ring members of a transaction as a node knows them: for each input that spends a key output, its members in the order
 * of the offsets. `verifyTransaction` of `@monero-node/consensus` takes them.
 *
 * What is then known is as good as the node: one that makes up a transaction can make up its ring members too. Ask your own, or a
 * few.
 *
 * Rejects as calls do: with RpcStatusError when the node has no such output, because it is behind or on another network; and with
 * RpcAnswerError when the answer has another number of outputs.
 *
 * Source: Blockchain::get_outs in src/cryptonote_core/blockchain.cpp.
 *
 * @param transaction as `parseTransaction` of `@monero-node/codec` returns it
 * @param call options of each call: there is one for every 5000 ring members, so one for nearly all transactions
 */
export async function fetchRings(
  client: Pick<RpcClient, 'binary'>,
  transaction: Pick<ParsedTransaction, 'tx'>,
  call: CallOptions = {},
): Promise<FetchedRingMember[][]> {
  const wanted = transaction.tx.inputs.flatMap((input) =>
    input.kind === 'key'
      ? [absoluteOffsets(input.keyOffsets).map((index) => ({ amount: input.amount, index }))]
      : [],
  );
  const members = await fetchOutputs(client, wanted.flat(), call);
  let taken = 0;
  return wanted.map(({ length }) => members.slice(taken, (taken += length)));
}

/** Returns outputs in the order in which they are asked for. */
async function fetchOutputs(
  client: Pick<RpcClient, 'binary'>,
  outputs: readonly { readonly amount: bigint; readonly index: bigint }[],
  call: CallOptions,
): Promise<FetchedRingMember[]> {
  const members: FetchedRingMember[] = [];
  for (let from = 0; from < outputs.length; from += MOST_OUTPUTS) {
    const asked = outputs.slice(from, from + MOST_OUTPUTS);
    const { outs } = await client.binary(
      '/get_outs.bin',
      { outputs: asked, get_txid: false },
      call,
    );
    if (outs.length !== asked.length) {
      throw new RpcAnswerError(`${outs.length} outputs, not ${asked.length}`);
    }
    members.push(...outs.map(({ key, mask }) => ({ key, commitment: mask })));
  }
  return members;
}
