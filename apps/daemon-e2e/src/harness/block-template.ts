import { fromHex, parseBlock, toHex } from '@monero-node/codec';
import { stringOf, type Json, type JsonObject } from './json.ts';
import type { RunningNode } from './monerod.ts';
import { waitUntil } from './wait.ts';

/** What get_block_template answers. */
export function blockTemplate(
  node: RunningNode,
  address: string,
  more: { [name: string]: Json } = {},
): Promise<JsonObject> {
  return node.rpc.call('get_block_template', { wallet_address: address, ...more });
}

/** Ids of the transactions of a template, the miner's excepted. */
export function templateTxs(template: JsonObject): string[] {
  return parseBlock(fromHex(stringOf(template, 'blocktemplate_blob'))).block.txHashes.map(toHex);
}

/** Waits until a node, which may have to meet a peer first, makes templates. */
export async function waitUntilTemplates(node: RunningNode, address: string): Promise<void> {
  await waitUntil(
    `${node.name} to make templates`,
    async () => {
      const answer = await blockTemplate(node, address).catch(() => undefined);
      return answer?.['status'] === 'OK';
    },
    { timeout: 240_000 },
  );
}
