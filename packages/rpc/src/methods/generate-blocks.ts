import type { HandlerOf } from '../method.ts';
import { minedBlock, templateSearch, type BlockTemplate } from '@monero-node/blockchain';
import { parseBlock, toHex } from '@monero-node/codec';
import { HashingNonceSearcher, type PowHasher } from '@monero-node/pow';
import { BUSY, RPC_ERROR } from '@monero-node/rpc-schema';
import { makeTemplate } from '../mining/block-template.ts';
import { submitMinedBlock } from '../mining/submit-block.ts';
import { JsonRpcError, RpcStatus } from '../errors.ts';

const MAX_NONCE = 2 ** 32 - 1;

/**
 * Mines blocks at once on a regtest chain. Throws RpcStatus with BUSY until the node is synchronized; JsonRpcError on
 * other networks, without a hasher, and as `makeTemplate` and `submitMinedBlock` do.
 */
export const generateBlocks: HandlerOf<'generateBlocks'> = async (request, context) => {
  if (!context.p2p.synchronized) throw new RpcStatus(BUSY);
  if (context.chain.network.name !== 'regtest') {
    throw new JsonRpcError(RPC_ERROR.regtestRequired, 'Regtest required when generating blocks');
  }
  if (context.pow === undefined) throw new JsonRpcError(RPC_ERROR.internal, 'No proof of work');
  const blocks: Uint8Array[] = [];
  let { height } = context.chain;
  for (let count = 0n; count < request.amount_of_blocks; count++) {
    const last = blocks.at(-1);
    const { template } = await makeTemplate(
      {
        wallet_address: request.wallet_address,
        reserve_size: 1n,
        extra_nonce: '',
        prev_block: last === undefined ? request.prev_block : toHex(last),
      },
      context,
    );
    const parsed = parseBlock(await mine(template, request.starting_nonce, context.pow));
    await submitMinedBlock(parsed, context);
    blocks.push(parsed.id);
    height = template.height;
  }
  return { blocks, height };
};

/**
 * Tries nonces from `startNonce` up to the last, which is taken whatever its hash. At difficulty 1 every nonce is good, so
 * no hash is computed.
 */
async function mine(
  template: BlockTemplate,
  startNonce: number,
  hasher: Pick<PowHasher, 'hash'>,
): Promise<Uint8Array> {
  if (template.difficulty === 1n) return minedBlock(template, startNonce);
  const { nonce = MAX_NONCE } = await new HashingNonceSearcher(hasher).search({
    ...templateSearch(template),
    startNonce,
    stride: 1,
    count: MAX_NONCE - startNonce,
  });
  return minedBlock(template, nonce);
}
