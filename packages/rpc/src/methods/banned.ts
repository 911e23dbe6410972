import { RPC_ERROR } from '@monero-node/rpc-schema';
import type { HandlerOf } from '../method.ts';
import { JsonRpcError } from '../errors.ts';

/**
 * Returns the seconds left of the ban that covers an address. Its answer has no `untrusted`, unlike all others. Throws
 * JsonRpcError for text that is not an address.
 */
export const banned: HandlerOf<'banned'> = ({ address }, { p2p }) => {
  if (p2p.banKind(address) !== 'host') {
    throw new JsonRpcError(RPC_ERROR.wrongParam, 'Unsupported host type');
  }
  const seconds = p2p.banned(address);
  return {
    banned: seconds !== undefined,
    seconds: Math.min(Math.ceil(seconds ?? 0), 0xffffffff),
  };
};
