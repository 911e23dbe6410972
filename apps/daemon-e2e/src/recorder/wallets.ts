import { objectsOf, stringOf, type JsonObject } from '../harness/json.ts';
import { mainAddress, restoreWallet, type RunningWallet } from '../harness/wallet.ts';

/** The two wallets of the recorded chain. They hold regtest coins only. */
export const SEEDS = {
  alice:
    'antics teeming inquest oxygen auctions dual aptitude erected doctor ahead bowling hemlock ' +
    'fetches aloof kidneys fever much unrest eight yields jump usual ostrich present fetches',
  bob:
    'reorder money scrub lexicon mayor riots eskimos layout sorry goblet enough present ' +
    'adrenalin biology wept noodles petals cistern dormant sprig beware skydive avatar aztec layout',
} as const;

/** Number of accounts to create besides account 0, and of subaddresses in each account. */
export const EXTRA_ACCOUNTS = 2;
const SUBADDRESSES = 4;

/** A wallet that takes part in the recording. */
export interface Spender {
  name: keyof typeof SEEDS;
  wallet: RunningWallet;
  main: string;
  /** Addresses by account; the first of each is the account's main address. */
  accounts: string[][];
}

export async function openSpender(name: keyof typeof SEEDS, daemonPort: number): Promise<Spender> {
  const wallet = await restoreWallet(name, daemonPort, SEEDS[name]);
  const main = await mainAddress(wallet);
  const accounts = [[main]];
  for (let i = 0; i < EXTRA_ACCOUNTS; i++) {
    accounts.push([stringOf(await wallet.call('create_account'), 'address')]);
  }
  for (const [index, addresses] of accounts.entries()) {
    for (let i = 0; i < SUBADDRESSES; i++) {
      const made = await wallet.call('create_address', { account_index: index });
      addresses.push(stringOf(made, 'address'));
    }
  }
  return { name, wallet, main, accounts };
}

/** Returns the key images of the main account's outputs that can be spent now. */
export async function spendableKeyImages({ wallet }: Spender): Promise<string[]> {
  const answer = await wallet.call('incoming_transfers', {
    transfer_type: 'available',
    account_index: 0,
  });
  return objectsOf(answer, 'transfers')
    .filter((item) => item['unlocked'] === true && item['spent'] === false)
    .map((item) => stringOf(item, 'key_image'));
}

/** Returns the number of transactions that a transfer or sweep created. */
export function madeCount(answer: JsonObject): number {
  const list = answer['tx_hash_list'];
  return Array.isArray(list) ? list.length : 1;
}
