import { join } from 'node:path';
import { startDaemon } from '../nodes.mjs';

/**
 * @import { Daemon } from '../nodes.mjs'
 * @import { Start } from '../programs.mjs'
 */

const ADDRESS = /libp2p: reached at (\S+\/ws\/p2p\/\S+)/;

/**
 * Starts a second node of ours that dials `node` over WebSocket. `stop` stops it and returns how many seconds the link
 * had been open.
 *
 * @param {Start} start
 * @param {Daemon} node
 * @param {string} dir
 */
export async function startCompanion(start, node, dir) {
  const [, address] = ADDRESS.exec(node.program.output()) ?? [];
  if (address === undefined) throw new Error('the node does not listen for WebSockets');
  const companion = await startDaemon(start, {
    name: 'companion',
    ours: true,
    dataDir: join(dir, 'companion'),
    extra: ['--libp2p-peer', address],
  });
  return {
    stop: async () => {
      const { connections = [] } = await companion.rpc.call('get_connections');
      companion.rpc.close();
      await companion.program.stop();
      return { 'seconds open': Math.max(0, ...connections.map(({ live_time: time }) => time)) };
    },
  };
}
