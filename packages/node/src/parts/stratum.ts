import type { Socket } from 'node:net';
import type { BlockTemplates } from '@monero-node/blockchain';
import type { Network } from '@monero-node/consensus';
import { minerAddress } from '@monero-node/rpc/shared';
import {
  StratumServer,
  type BlockFate,
  type FoundBlock,
  type StratumOptions,
} from '@monero-node/stratum';
import { addMinedBlock, type MiningDependencies } from './mining.ts';

// Imported only by nodes with a stratum server: its code takes memory and time to start.

/** A stratum server as a node is given it. */
export interface StratumSettings extends StratumOptions {
  /** Whether rigs may use TLS, with the certificate of the RPC. */
  readonly tls: boolean;
}

/** The parts of a node that rigs need. */
interface StratumCore extends Omit<MiningDependencies, 'now'> {
  readonly network: Network;
  readonly templates: BlockTemplates;
}

/**
 * Creates the stratum server of a node.
 *
 * @param acceptTls what takes TLS connections, once the RPC has started
 */
export function createStratum(
  { tls, ...options }: StratumSettings,
  core: StratumCore,
  acceptTls: (serve: (socket: Socket) => void) => ((socket: Socket) => void) | undefined,
): StratumServer {
  const { blockchain, templates, pow, p2p, network } = core;
  const server = new StratumServer(options, {
    templates,
    blockchain,
    pow,
    submit: (block) => submit(block, core),
    isSynchronized: () => p2p.synchronized,
    addressOf: (text) => {
      const address = minerAddress(text, network);
      return address?.isSubaddress === false ? address : undefined;
    },
    logger: core.logger.child('net.stratum'),
    ...(tls && { acceptTls }),
  });
  core.ledger.countWork(() => server.counts.hashes);
  return server;
}

async function submit({ blob, rig }: FoundBlock, core: StratumCore): Promise<BlockFate> {
  const result = await addMinedBlock(blob, { kind: 'rig', rig }, core);
  switch (result.status) {
    case 'added':
    case 'reorganized':
    case 'known':
      return 'added';
    case 'alternative':
      return 'alternative';
    case 'invalid':
      core.logger.child('net.stratum').warn(`block of rig ${rig}: ${result.error.message}`);
      return 'refused';
    case 'orphan':
    case 'missing-txs':
      return 'refused';
  }
}
