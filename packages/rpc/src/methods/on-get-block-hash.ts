import { checkedHeight } from '../chain/block-header.ts';
import { RPC_ERROR, RpcError } from '../errors.ts';
import { defineListToValue } from '../method.ts';
import { f } from '../wire/fields.ts';

export const onGetBlockHash = defineListToValue({
  names: ['on_get_block_hash', 'on_getblockhash'],
  summary: 'Gives the id of the block at a height.',
  restricted: 'served',
  steady: true,
  items: f.u64(),
  response: f.hash(),
  handler: (items, { chain }) => {
    const [height] = items;
    if (height === undefined || items.length !== 1) {
      throw new RpcError(RPC_ERROR.wrongParam, 'Wrong parameters, expected height');
    }
    const meta = chain.store.blockMeta(checkedHeight(chain, height));
    if (meta === undefined) throw new RpcError(RPC_ERROR.internal, 'Internal error');
    return meta.id;
  },
});
