import * as base from '@monero-node/base';
import * as addons from '@monero-node/base/addons';
import * as options from '@monero-node/base/options';
import * as blockchain from '@monero-node/blockchain';
import * as codec from '@monero-node/codec';
import * as consensus from '@monero-node/consensus';
import * as crypto from '@monero-node/crypto';
import * as devnet from '@monero-node/devnet';
import * as events from '@monero-node/events';
import * as p2p from '@monero-node/p2p';
import * as pow from '@monero-node/pow';
import * as rpcClient from '@monero-node/rpc-client';
import * as storage from '@monero-node/storage';
import * as wallet from '@monero-node/wallet-primitives';

const PACKAGES = {
  addons,
  base,
  blockchain,
  codec,
  consensus,
  crypto,
  devnet,
  events,
  options,
  p2p,
  pow,
  rpcClient,
  storage,
  wallet,
};
/** The base of errors of the machine: only its subclasses are thrown. */
const WITHOUT_CODE = ['MachineError'];

type ErrorClass = new (...args: unknown[]) => Error;

const classes = Object.values(PACKAGES)
  .flatMap((exported) => Object.entries<unknown>(exported))
  .filter((entry): entry is [string, ErrorClass] => {
    const [name, value] = entry;
    return (
      typeof value === 'function' &&
      (value as { readonly prototype?: unknown }).prototype instanceof Error &&
      !WITHOUT_CODE.includes(name)
    );
  });

test('there are many', () => {
  expect(classes.length).toBeGreaterThan(20);
});

test.each(classes)('%s has a code', (_name, ErrorOfPackage) => {
  const error = new ErrorOfPackage('text', 'text', {});
  expect(error).toHaveProperty('code');
  expect((error as { readonly code?: unknown }).code).toBeDefined();
});
