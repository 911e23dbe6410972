/** The categories of this node's messages, as monerod names them. */
export const LOG_CATEGORIES: readonly string[] = [
  'blockchain',
  'checkpoints',
  'daemon.rpc',
  'global',
  'logging',
  'miner',
  'net.http',
  'net.p2p',
  'net.stratum',
  'net.zmq',
  'notify',
  'txpool',
  'updates',
];
