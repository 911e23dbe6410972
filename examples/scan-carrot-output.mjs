// Finds the Carrot output with which a block of the next fork pays its miner, and a payment between accounts of the new kind.
import { parseAddress, toHex } from '@monero-node/codec';
import { createBackend } from '@monero-node/crypto';
import {
  accountAddress,
  accountFromSeed,
  carrotAccountFromMasterSecret,
  CarrotScanner,
  makeCarrotOutputs,
  makeCoinbaseEnote,
  readCarrotExtra,
} from '@monero-node/wallet-primitives';

const backend = createBackend();
const random = (size) => crypto.getRandomValues(new Uint8Array(size));
const destination = (account, at) =>
  parseAddress(accountAddress(account, { network: 'mainnet', at, backend }));

// Wallets of today keep their keys and addresses. A coinbase pays a main address.
const miner = accountFromSeed(random(32));
const reward = { destination: destination(miner), amount: 600_000_000_000n, anchor: random(16) };
const enote = makeCoinbaseEnote(reward, 3_700_000, backend);
const lookahead = { accounts: 1, addresses: 10 };
const [mined] = new CarrotScanner({ account: miner, backend, lookahead }).scanCoinbase([enote]);
console.log(`the miner has ${mined?.amount}, key image ${toHex(mined.keyImage)}`);

// The new hierarchy: one secret for everything, and keys that see all and spend nothing.
const payer = carrotAccountFromMasterSecret(random(32), backend);
const payee = carrotAccountFromMasterSecret(random(32), backend);
const at = { account: 0, index: 3 };
const payment = { destination: destination(payee, at), amount: 5n, anchor: random(16) };
const { outputs, extra } = makeCarrotOutputs({
  payments: [payment],
  selfSends: [{ amount: 20n, type: 'change' }],
  account: payer,
  firstKeyImage: random(32),
  backend,
});

// A node gives the extra bytes and the fields of each output.
const read = readCarrotExtra(extra, { outputs: outputs.length, isCoinbase: false });
const enotes = outputs.map((output, i) => {
  return { ...output.enote, ephemeralPublicKey: read.ephemeralPublicKeys[i] };
});
const transaction = { enotes, encryptedPaymentId: read.encryptedPaymentId };
// All keys but the one that spends.
const { viewSecret, spendKey, addressSecret, viewBalanceSecret, imageSecret } = payee;
const watching = { viewSecret, spendKey, addressSecret, viewBalanceSecret, imageSecret };
const [received] = new CarrotScanner({ account: watching, backend, lookahead }).scan(transaction);
const [change] = new CarrotScanner({ account: payer, backend, lookahead }).scan(transaction);
console.log(`address ${received?.subaddress.index} received ${received?.amount}`);
console.log(
  `change of ${change?.amount}, which the view secret alone does not find: ${change?.isInternal}`,
);
if (mined?.amount !== 600_000_000_000n || received?.amount !== 5n || change?.amount !== 20n) {
  throw new Error('an output was not found');
}
