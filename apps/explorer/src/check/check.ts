import { RpcClient } from '@monero-node/rpc-client';
import type { Database } from '../database/database.ts';
import { differences } from './lines.ts';
import { nodeFacts } from './node-facts.ts';
import { tableFacts } from './table-facts.ts';

const SHOWN = 20;

/**
 * Compares the tables with what a node answers, and prints the result. Returns whether they are equal.
 *
 * Throws RpcError, and Error when the chain changes meanwhile.
 */
export async function checkTables(database: Database, url: string): Promise<boolean> {
  const client = new RpcClient({ url });
  try {
    const node = await nodeFacts(client);
    const found = differences(await tableFacts(database), node);
    for (const each of found.slice(0, SHOWN)) console.log(each);
    if (found.length > SHOWN) console.log(`and ${found.length - SHOWN} more`);
    const { blocks, transactions, outputs, keyImages, pool } = node;
    console.log(
      `${blocks.length} blocks, ${transactions.length} transactions, ${outputs.length} outputs, ` +
        `${keyImages.length} key images, ${pool.length} in the pool: ${found.length} differences`,
    );
    return found.length === 0;
  } finally {
    client.close();
  }
}
