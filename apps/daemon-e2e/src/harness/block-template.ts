import { fromHex, parseBlock, toHex } from '@monero-node/codec';
import { stringOf, type Json, type JsonObject } from './json.ts';
import type { RunningNode } from './monerod.ts';
import { waitUntil } from './wait.ts';

/** The answer of get_block_template. */
export function blockTemplate(
  node: RunningNode,
  address: string,
  more: { [name: string]: Json } = {},
): Promise<JsonObject> {
  return node.rpc.call('get_block_template', { wallet_address: address, ...more });
}

/** Returns the ids of a template's transactions, without the coinbase. */
export function templateTxs(template: JsonObject): string[] {
  return parseBlock(fromHex(stringOf(template, 'blocktemplate_blob'))).block.txHashes.map(toHex);
}

/** Waits until a node makes templates. It may need a peer first. */
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
