import { silentLogger } from '@monero-node/base';
import { NETWORKS } from '@monero-node/consensus';
import { openChain, openEngines, openNode } from './index.ts';

test.each<[object, string]>([
  [{ data: '/srv' }, 'openNode: no option "data"; there are network, dataDir,'],
  [
    { network: 'main' },
    'openNode: network is "main"; it can be "mainnet", "testnet", "stagenet", "regtest"',
  ],
  [{ readiness: { lag: 5 } }, 'openNode: no option "lag" in readiness'],
  [{ mining: { threads: 5 } }, 'openNode: no option "threads" in mining'],
  [{ stratum: { bindIp: '127.0.0.1' } }, 'openNode: stratum.bindPort is missing'],
  [{ network: 'regtest', p2p: { isOffline: true } }, 'createP2pNode: no option "isOffline"'],
  [
    { network: 'regtest', p2p: { offline: true }, rpc: { restricted: true } },
    'RpcServer: no option "restricted"',
  ],
  [{ network: 'regtest', cryptoBackend: 'rust' }, 'backend is "rust"; it can be "auto", "native"'],
  [{ network: 'regtest', powEngine: 'gpu' }, 'engine is "gpu"; it can be "auto", "native", "wasm"'],
])('%j is refused', async (options, message) => {
  await expect(openNode(options)).rejects.toThrow(message);
});

test('the parts of a node check their options where a program opens them alone', async () => {
  const dependencies = { logger: silentLogger };
  const engines = { threads: 5 } as object;
  expect(() => openEngines(engines, dependencies)).toThrow(
    'openEngines: no option "threads"; there are dataDir, verificationThreads,',
  );
  const chain = { network: NETWORKS.regtest, folder: '/srv' } as never;
  await expect(openChain(chain, dependencies)).rejects.toThrow('openChain: no option "folder"');
});
