import { numberOf, objectsOf, stringOf, stringsOf, type JsonObject } from '../harness/json.ts';
import { RpcError } from '../harness/rpc-client.ts';
import type { RunningWallet } from '../harness/wallet.ts';

const PICONERO = 1_000_000_000_000;

/** The two wallets of a payment and their addresses. */
export interface Parties {
  readonly payer: RunningWallet;
  readonly payee: RunningWallet;
  readonly payerMain: string;
  readonly payeeMain: string;
  /** Addresses of the payee's account 0, by index. */
  readonly payeeAddresses: readonly string[];
  /** The first addresses of the payee's account 1. */
  readonly payeeSecond: readonly string[];
  /** Height of the chain. */
  readonly height: number;
}

/** A payment of a certain shape: returns the ids of its transactions. */
export interface Payment {
  readonly name: string;
  pay(parties: Parties): Promise<readonly string[]>;
}

function idsOf(answer: JsonObject): readonly string[] {
  if (answer['tx_hash'] !== undefined) return [stringOf(answer, 'tx_hash')];
  return answer['tx_hash_list'] === undefined ? [] : stringsOf(answer, 'tx_hash_list');
}

type Destination = readonly [address: string, amount: number];

/** Pays amounts, in XMR. */
async function transfer(
  wallet: RunningWallet,
  destinations: readonly Destination[],
  more: JsonObject = {},
): Promise<readonly string[]> {
  const list = destinations.map(([address, xmr]) => {
    return { address, amount: Math.round(xmr * PICONERO) };
  });
  return idsOf(await wallet.call('transfer', { destinations: list, priority: 1, ...more }));
}

/** Runs a payment that newer wallets refuse: they set no unlock time any more. */
async function whereAllowed(pay: Promise<readonly string[]>): Promise<readonly string[]> {
  try {
    return await pay;
  } catch (error) {
    if (error instanceof RpcError && /unlock/i.test(error.message)) return [];
    throw error;
  }
}

async function integrated(wallet: RunningWallet, paymentId: string): Promise<string> {
  const made = await wallet.call('make_integrated_address', { payment_id: paymentId });
  return stringOf(made, 'integrated_address');
}

/** Returns the key image of the wallet's largest output in an account that can be spent. */
async function spendable(wallet: RunningWallet, account: number): Promise<string> {
  const answer = await wallet.call('incoming_transfers', {
    transfer_type: 'available',
    account_index: account,
  });
  const [largest] = objectsOf(answer, 'transfers')
    .filter((each) => each['unlocked'] === true)
    .sort((a, b) => numberOf(b, 'amount') - numberOf(a, 'amount'));
  if (largest === undefined) throw new Error('nothing to spend');
  return stringOf(largest, 'key_image');
}

/** Payments that the payer's first coins allow. Those after a `pause` need outputs of the ones before. */
export const PAYMENTS: readonly Payment[] = [
  { name: 'to a main address', pay: (p) => transfer(p.payer, [[p.payeeMain, 1]]) },
  {
    name: 'to a subaddress',
    pay: (p) => transfer(p.payer, [[p.payeeAddresses[1] as string, 1.1]]),
  },
  {
    name: 'to another account',
    pay: (p) => transfer(p.payer, [[p.payeeSecond[0] as string, 1.2]]),
  },
  {
    name: 'to a subaddress of another account',
    pay: (p) => transfer(p.payer, [[p.payeeSecond[3] as string, 1.3]]),
  },
  {
    name: 'to an integrated address',
    pay: async (p) => transfer(p.payer, [[await integrated(p.payee, '0123456789abcdef'), 1.4]]),
  },
  {
    name: 'to an integrated address whose payment id is zero but for a bit',
    pay: async (p) => transfer(p.payer, [[await integrated(p.payee, '0000000000000001'), 0.4]]),
  },
  {
    name: 'to two main addresses',
    pay: (p) =>
      transfer(p.payer, [
        [p.payeeMain, 0.5],
        [p.payerMain, 0.6],
      ]),
  },
  {
    name: 'to a main address and subaddresses, with additional keys',
    pay: (p) =>
      transfer(p.payer, [
        [p.payeeMain, 0.1],
        [p.payeeAddresses[2] as string, 0.2],
        [p.payeeSecond[1] as string, 0.3],
      ]),
  },
  {
    name: 'twice to one subaddress',
    pay: (p) =>
      transfer(p.payer, [
        [p.payeeAddresses[3] as string, 0.01],
        [p.payeeAddresses[3] as string, 0.02],
      ]),
  },
  {
    name: 'to fifteen addresses, sixteen outputs',
    pay: (p) =>
      transfer(
        p.payer,
        Array.from({ length: 15 }, (_, i): Destination => {
          const address = i % 3 === 0 ? p.payerMain : p.payeeAddresses[i];
          return [address as string, 0.001 * (i + 1)];
        }),
      ),
  },
  { name: 'of one piconero', pay: (p) => transfer(p.payer, [[p.payeeMain, 1e-12]]) },
  {
    name: 'to an address far ahead',
    pay: (p) => transfer(p.payer, [[p.payeeAddresses[150] as string, 0.9]]),
  },
  { name: 'to itself', pay: (p) => transfer(p.payer, [[p.payerMain, 2]]) },
  {
    name: 'locked until a height',
    pay: (p) =>
      whereAllowed(transfer(p.payer, [[p.payeeMain, 0.11]], { unlock_time: p.height + 1000 })),
  },
  {
    name: 'locked until a time',
    pay: (p) =>
      whereAllowed(
        transfer(p.payer, [[p.payeeMain, 0.12]], {
          unlock_time: Math.floor(Date.now() / 1000) + 86_400,
        }),
      ),
  },
  {
    name: 'split over transactions, at the highest priority',
    pay: async (p) =>
      idsOf(
        await p.payer.call('transfer_split', {
          destinations: [{ address: p.payeeMain, amount: 80 * PICONERO }],
          priority: 4,
        }),
      ),
  },
];

/** Payments out of what the payee got by the others. */
export const LATER_PAYMENTS: readonly Payment[] = [
  {
    name: 'from subaddresses',
    pay: (p) => transfer(p.payee, [[p.payerMain, 0.1]], { account_index: 1 }),
  },
  {
    name: 'from one account to another',
    pay: (p) => transfer(p.payee, [[p.payeeSecond[2] as string, 0.2]]),
  },
  {
    name: 'sweep of one output to four',
    pay: async (p) =>
      idsOf(
        await p.payee.call('sweep_single', {
          address: p.payeeAddresses[5] as string,
          key_image: await spendable(p.payee, 0),
          outputs: 4,
        }),
      ),
  },
  {
    name: 'sweep of dust, of which there is none',
    pay: async (p) => idsOf(await p.payee.call('sweep_dust')),
  },
  {
    name: 'sweep of an account',
    pay: async (p) =>
      idsOf(
        await p.payee.call('sweep_all', {
          address: p.payeeMain,
          account_index: 1,
          subaddr_indices_all: true,
        }),
      ),
  },
];
