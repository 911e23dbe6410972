import { tryParseBlock } from '@monero-node/blockchain';
import { BUSY, RPC_ERROR } from '@monero-node/rpc-schema';
import type { HandlerOf } from '../method.ts';
import { tryHex } from '../encoding/hex.ts';
import {
  checkBlobSize,
  checkParent,
  isBlockWithHugeNumbers,
  notAccepted,
  submitMinedBlock,
} from '../mining/submit-block.ts';
import { JsonRpcError, RpcStatus } from '../errors.ts';

/**
 * Adds a mined block whose transactions are in the pool. Throws RpcStatus with BUSY until the node is synchronized;
 * JsonRpcError for a request that is not one block in hex, a blob that is too long, or a block that breaks a rule or is
 * known already. A restricted port takes blocks of the current seed only. Source: on_submitblock in src/rpc/core_rpc_server.cpp.
 */
export const submitBlock: HandlerOf<'submitBlock'> = async (items, context) => {
  if (!context.p2p.synchronized) throw new RpcStatus(BUSY);
  const [hex] = items;
  if (hex === undefined || items.length !== 1) {
    throw new JsonRpcError(RPC_ERROR.wrongParam, 'Wrong param');
  }
  const blob = tryHex(hex);
  if (blob === undefined) throw wrongBlob();
  const { yielder } = context;
  const parsed = await tryParseBlock(blob, yielder);
  if (parsed === undefined && !(await isBlockWithHugeNumbers(blob, yielder))) throw wrongBlob();
  checkBlobSize(blob.length, context);
  if (parsed === undefined) throw notAccepted();
  if (context.restricted) checkParent(parsed, context);
  await submitMinedBlock(parsed, context);
  return { block_id: parsed.id };
};

function wrongBlob(): JsonRpcError {
  return new JsonRpcError(RPC_ERROR.wrongBlockBlob, 'Wrong block blob');
}
