import type { HandlerOf } from '../method.ts';
import { parsePrunedTransaction } from '@monero-node/codec';
import { feeOf } from '@monero-node/consensus';
import { wideNumber } from '../encoding/wide-number.ts';
import type { RpcChain } from '../dependencies.ts';
import { RpcStatus } from '../errors.ts';

/**
 * Returns the coins emitted and the fees paid in a range of blocks, in atomic units. Throws RpcStatus when the start or
 * the number of blocks exceeds the chain.
 */
export const getCoinbaseTxSum: HandlerOf<'getCoinbaseTxSum'> = async (
  request,
  { chain, yielder },
) => {
  const chainHeight = BigInt(chain.height);
  if (request.height >= chainHeight || request.count > chainHeight) {
    throw new RpcStatus('height or count is too large');
  }
  const end = request.height + request.count;
  const last = Number(end < chainHeight ? end : chainHeight);
  let emission = 0n;
  let fees = 0n;
  for (let height = Number(request.height); height < last; height++) {
    await yielder.yieldIfDue();
    const block = blockSums(chain, height);
    emission += block.coinbase - block.fees;
    fees += block.fees;
  }
  const wideEmission = wideNumber(emission);
  const wideFees = wideNumber(fees);
  return {
    emission_amount: wideEmission.low,
    emission_amount_top64: wideEmission.top,
    fee_amount: wideFees.low,
    fee_amount_top64: wideFees.top,
    wide_emission_amount: wideEmission.wide,
    wide_fee_amount: wideFees.wide,
  };
};

/** Returns the outputs of the coinbase and the fees among them, atomic units. */
function blockSums(chain: RpcChain, height: number): { coinbase: bigint; fees: bigint } {
  const [minerTx, ...others] = chain.store.blockTxs(height);
  if (minerTx === undefined) return { coinbase: 0n, fees: 0n };
  // Before fork 12 a coinbase may have a prunable part, which is stored apart.
  const { tx } = parsePrunedTransaction(minerTx.pruned, minerTx.prunableHash);
  return {
    coinbase: tx.outputs.reduce((sum, output) => sum + output.amount, 0n),
    fees: others.reduce(
      (sum, stored) => sum + feeOf(parsePrunedTransaction(stored.pruned, stored.prunableHash)),
      0n,
    ),
  };
}
