import { fromHex } from '@monero-node/codec';
import { NETWORKS, type Network } from '@monero-node/consensus/networks';
import type { Queryable } from '../database/database.ts';

/** The tables are asked to follow another network than the one that they hold. The message is for the operator. */
export class WrongNetworkError extends Error {
  override readonly name = 'WrongNetworkError';
}

/** The first block of a network, and what a message calls the network. */
export interface NamedGenesis {
  readonly name: string;
  readonly genesisId: Uint8Array;
}

/** Returns the network of a name. Throws WrongNetworkError for a name that no network has. */
export function networkOf(name: string): Network {
  const network = Object.values(NETWORKS).find((known) => known.name === name);
  if (network !== undefined) return network;
  const known = Object.keys(NETWORKS).join(', ');
  throw new WrongNetworkError(`no network ${name}; --network takes ${known}`);
}

/**
 * Rejects with WrongNetworkError when the tables begin with the first block of another network: to follow this one, all that they
 * hold would be taken out again. A regtest begins with the block of mainnet, so these two are not told apart.
 */
export async function checkNetwork(
  database: Queryable,
  { name, genesisId }: NamedGenesis,
): Promise<void> {
  const [first] = await database.query<{ readonly id: string }>(
    `SELECT encode(id, 'hex') AS id FROM blocks WHERE height = 0`,
  );
  if (first === undefined || Buffer.compare(fromHex(first.id), genesisId) === 0) return;
  throw new WrongNetworkError(
    `the tables hold another network than ${name}: choose theirs (--network, --node), or another database (--database)`,
  );
}
