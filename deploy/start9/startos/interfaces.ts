import { settingsFile } from './fileModels/settings';
import { PORTS } from './ports';
import { sdk } from './sdk';

const common = { masked: false, schemeOverride: null, username: null, path: '', query: {} };
const plain = { protocol: null, addSsl: null, secure: { ssl: false } } as const;

/** The interfaces that the owner sees, each with its addresses: local, clearnet, and on Tor once the owner adds one. */
export const setInterfaces = sdk.setupInterfaces(async ({ effects }) => {
  const receipts = [];
  const { peers, rpc, restricted, zmq } = PORTS;

  const peerOrigin = await sdk.MultiHost.of(effects, 'peers').bindPort(peers, {
    ...plain,
    preferredExternalPort: peers,
  });
  const peerInterface = sdk.createInterface(effects, {
    ...common,
    id: 'peers',
    name: 'Peers',
    description: 'Where other nodes reach this one',
    type: 'p2p',
  });
  receipts.push(await peerOrigin.export([peerInterface]));

  const restrictedOrigin = await sdk.MultiHost.of(effects, 'restricted').bindPort(restricted, {
    protocol: 'http',
    preferredExternalPort: restricted,
  });
  const restrictedInterface = sdk.createInterface(effects, {
    ...common,
    id: 'restricted',
    name: 'RPC for wallets',
    description: 'The restricted RPC: the address to give to a wallet',
    type: 'api',
  });
  receipts.push(await restrictedOrigin.export([restrictedInterface]));

  const rpcOrigin = await sdk.MultiHost.of(effects, 'rpc').bindPort(rpc, {
    protocol: 'http',
    preferredExternalPort: rpc,
  });
  const page = sdk.createInterface(effects, {
    ...common,
    id: 'page',
    name: 'Page and RPC of the owner',
    description:
      'Height, peers, pool and log; programs reach the unrestricted RPC here. It asks for the login',
    type: 'ui',
  });
  receipts.push(await rpcOrigin.export([page]));

  if (await settingsFile.read(({ zmq: isOn }) => isOn).const(effects)) {
    const zmqOrigin = await sdk.MultiHost.of(effects, 'zmq').bindPort(zmq, {
      ...plain,
      preferredExternalPort: zmq,
    });
    const notifications = sdk.createInterface(effects, {
      ...common,
      id: 'zmq',
      name: 'ZeroMQ notifications',
      description: 'New blocks and transactions, for P2Pool and other programs; without a login',
      type: 'api',
    });
    receipts.push(await zmqOrigin.export([notifications]));
  }
  return receipts;
});
