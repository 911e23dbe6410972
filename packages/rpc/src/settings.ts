// Readers of the values of options. Apart from index.ts, so that a command to a running node does not load a node.
export { RpcOptionsError } from './errors.ts';
export { minerAddress } from './mining/miner-address.ts';
export { resolveTls } from './tls/options.ts';
