/**
 * Records what the unit tests of packages/wallet-primitives know of real wallets:
 *
 *   npx nx build @monero-node/daemon-e2e
 *   node apps/daemon-e2e/dist/record-wallet.js --out packages/wallet-primitives/fixtures [--no-seeds]
 *
 * Writes seeds.json (two wallets in every language) and wallet.json (coinbases of the recorded chain's first wallet, payments
 * that it makes to itself and to another one, the outputs that it has in them, and proofs). Takes about two minutes. Keys inside
 * transactions are random: two recordings have different bytes.
 */
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { chainFacts } from './chain/fixture.ts';
import { killLeftovers } from '../leftovers.js';
import { listOf, objectOf, objectsOf, stringOf, type JsonObject } from './harness/json.ts';
import { mine, startMonerod, type RunningNode } from './harness/monerod.ts';
import { monerodDataWithChain } from './harness/prepared-chains.ts';
import { runHome } from './harness/run-folder.ts';
import { mainAddress, restoreWallet, startWallet, type RunningWallet } from './harness/wallet.ts';

const MESSAGE = 'a message';
const PICONERO = 1_000_000_000_000;
/** Blocks of the recorded chain, after which its first wallet owns ripe coinbases. */
const BLOCKS = 230;
/** Coinbases to keep. */
const COINBASES = 20;
const { values } = parseArgs({
  options: {
    out: { type: 'string', default: '.' },
    'no-seeds': { type: 'boolean', default: false },
  },
});
const out = resolve(values.out);

const keyOf = async (wallet: RunningWallet, type: string): Promise<string> =>
  stringOf(await wallet.call('query_key', { key_type: type }), 'key');

/** The client reads answers as single bytes; returns the text. */
const utf8 = (text: string): string => Buffer.from(text, 'latin1').toString('utf8');

/** Makes two wallets in each language; returns their words and keys. */
async function recordSeeds(node: RunningNode): Promise<unknown> {
  const wallet = await startWallet('languages', node.rpc.port);
  const { languages, languages_local: own } = await wallet.call('get_languages');
  const seeds: JsonObject[] = [];
  for (const [i, language] of (languages as string[]).entries()) {
    for (const number of [1, 2]) {
      const filename = `language-${i}-${number}`;
      await wallet.call('create_wallet', { filename, language, password: '' });
      seeds.push({
        language,
        name: utf8((own as string[])[i] as string),
        words: utf8(await keyOf(wallet, 'mnemonic')),
        secret: await keyOf(wallet, 'spend_key'),
        viewSecret: await keyOf(wallet, 'view_key'),
        address: await mainAddress(wallet),
      });
      await wallet.call('close_wallet');
    }
  }
  await wallet.stop();
  return seeds;
}

/** Returns the base form of transactions, in hex, with the hash of what is missing. */
async function prunedTransactions(
  node: RunningNode,
  ids: readonly string[],
): Promise<JsonObject[]> {
  const answer = await node.rpc.path('/gettransactions', { txs_hashes: [...ids], prune: true });
  return objectsOf(answer, 'txs').map((tx) => ({
    id: stringOf(tx, 'tx_hash'),
    base: stringOf(tx, 'pruned_as_hex'),
    prunableHash: stringOf(tx, 'prunable_hash'),
    height: tx['block_height'] as number,
  }));
}

async function outputsOf(wallet: RunningWallet, ids: ReadonlySet<string>): Promise<JsonObject[]> {
  const accounts = listOf(await wallet.call('get_accounts'), 'subaddress_accounts').length;
  const all: JsonObject[] = [];
  for (let account = 0; account < accounts; account++) {
    const asked = { transfer_type: 'all', account_index: account };
    const answer = await wallet.call('incoming_transfers', asked);
    if (answer['transfers'] !== undefined) all.push(...objectsOf(answer, 'transfers'));
  }
  return all
    .filter((each) => ids.has(stringOf(each, 'tx_hash')))
    .map((each) => ({
      txId: stringOf(each, 'tx_hash'),
      key: stringOf(each, 'pubkey'),
      amount: String(each['amount']),
      subaddress: objectOf(each, 'subaddr_index'),
      keyImage: stringOf(each, 'key_image'),
    }));
}

/** Pays two addresses of a new wallet; returns the payment and proofs of it. */
async function recordProofs(node: RunningNode, payer: RunningWallet): Promise<JsonObject> {
  const payee = await startWallet('payee', node.rpc.port);
  await payee.call('create_wallet', { filename: 'payee', password: '', language: 'English' });
  const main = await mainAddress(payee);
  const subaddress = stringOf(await payee.call('create_address', { account_index: 0 }), 'address');
  const made = await payee.call('make_integrated_address', { payment_id: '0123456789abcdef' });
  const integrated = stringOf(made, 'integrated_address');
  const paid = await payer.call('transfer', {
    destinations: [
      { address: main, amount: PICONERO },
      { address: subaddress, amount: 2 * PICONERO },
    ],
  });
  const txid = stringOf(paid, 'tx_hash');
  await mine(node, 12, await mainAddress(payer));
  for (const wallet of [payer, payee]) await wallet.call('refresh');
  const prove = async (wallet: RunningWallet, address: string): Promise<string> =>
    stringOf(await wallet.call('get_tx_proof', { txid, address, message: MESSAGE }), 'signature');
  const sign = async (index: number, type: string): Promise<string> =>
    stringOf(
      await payee.call('sign', {
        data: MESSAGE,
        account_index: 0,
        address_index: index,
        signature_type: type,
      }),
      'signature',
    );
  const spend = await payer.call('get_spend_proof', { txid, message: MESSAGE });
  const reserve = await payee.call('get_reserve_proof', { all: true, message: MESSAGE });
  const proofs = {
    txid,
    message: MESSAGE,
    main,
    subaddress,
    integrated,
    words: await keyOf(payee, 'mnemonic'),
    outputs: await outputsOf(payee, new Set([txid])),
    outMain: await prove(payer, main),
    outSubaddress: await prove(payer, subaddress),
    inMain: await prove(payee, main),
    inSubaddress: await prove(payee, subaddress),
    spend: stringOf(spend, 'signature'),
    reserve: stringOf(reserve, 'signature'),
    messageSpend: await sign(0, 'spend'),
    messageView: await sign(0, 'view'),
    messageSubaddress: await sign(1, 'spend'),
    rings: await ringsOfTransaction(node, txid),
  };
  await payee.stop();
  return proofs;
}

/** Returns for each input the one-time keys of its ring members. */
async function ringsOfTransaction(node: RunningNode, txid: string): Promise<string[][]> {
  const answer = await node.rpc.path('/gettransactions', {
    txs_hashes: [txid],
    decode_as_json: true,
  });
  const [tx] = objectsOf(answer, 'txs');
  const parsed = JSON.parse(stringOf(tx as JsonObject, 'as_json')) as {
    vin: { key: { key_offsets: number[] } }[];
  };
  const rings: string[][] = [];
  for (const { key } of parsed.vin) {
    let index = 0;
    const outputs = key.key_offsets.map((offset) => ({ amount: 0, index: (index += offset) }));
    const outs = await node.rpc.path('/get_outs', { outputs });
    rings.push(objectsOf(outs, 'outs').map((each) => stringOf(each, 'key')));
  }
  return rings;
}

/** Pays addresses of the wallet itself; returns the ids of these payments and of some coinbases. */
async function payItself(node: RunningNode, wallet: RunningWallet): Promise<string[]> {
  const addresses: string[][] = [];
  for (const account of [0, 1, 2]) {
    if (account > 0) await wallet.call('create_account');
    await wallet.call('create_address', { account_index: account, count: 5 });
    const made = await wallet.call('get_address', { account_index: account });
    addresses.push(objectsOf(made, 'addresses').map((each) => stringOf(each, 'address')));
  }
  const integrated = await wallet.call('make_integrated_address', {
    payment_id: '00000000000000ff',
  });
  const at = (account: number, index: number): string => addresses[account]?.[index] as string;
  const shapes = [
    [at(0, 0), at(1, 0), at(2, 1)],
    [stringOf(integrated, 'integrated_address')],
    Array.from({ length: 15 }, (_, i) => at(i % 3, i % 5)),
  ];
  const ids: string[] = [];
  for (const list of shapes) {
    const destinations = list.map((address, i) => ({
      address,
      amount: Math.floor(PICONERO / (10 + i * 10)),
    }));
    ids.push(stringOf(await wallet.call('transfer', { destinations }), 'tx_hash'));
    await mine(node, 12, at(0, 0));
    await wallet.call('refresh');
  }
  const incoming = await wallet.call('get_transfers', { in: true });
  const blocks = objectsOf(incoming, 'in').filter((each) => each['type'] === 'block');
  return [...blocks.slice(0, COINBASES).map((each) => stringOf(each, 'txid')), ...ids];
}

async function main(): Promise<void> {
  mkdirSync(out, { recursive: true });
  const node = await startMonerod({ dataDir: await monerodDataWithChain(BLOCKS), offline: true });
  const [owner] = chainFacts().wallets;
  if (owner === undefined) throw new Error('the recorded chain has no wallet');
  if (!values['no-seeds'])
    writeFileSync(join(out, 'seeds.json'), `${JSON.stringify(await recordSeeds(node), null, 1)}\n`);
  const wallet = await restoreWallet('owner', node.rpc.port, owner.seed);
  await wallet.call('refresh', { start_height: 0 });
  const chosen = await payItself(node, wallet);
  const proofs = await recordProofs(node, wallet);
  const ids = [...chosen, stringOf(proofs, 'txid')];
  const recorded = {
    how: 'apps/daemon-e2e/src/record-wallet.ts: regtest, real monerod and monero-wallet-rpc',
    monerod: stringOf(await node.info(), 'version'),
    words: owner.seed,
    transactions: await prunedTransactions(node, ids),
    outputs: await outputsOf(wallet, new Set(ids)),
    proofs,
  };
  writeFileSync(join(out, 'wallet.json'), `${JSON.stringify(recorded)}\n`);
  await wallet.stop();
  await node.stop();
}

try {
  await main();
} finally {
  killLeftovers(runHome());
}
