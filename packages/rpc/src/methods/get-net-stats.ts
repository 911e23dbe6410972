import { defineMethod } from '../method.ts';
import { f } from '../wire/fields.ts';

export const getNetStats = defineMethod({
  paths: ['/get_net_stats'],
  summary: 'Tells how much was sent to and received from peers.',
  restricted: 'hidden',
  base: 'basic',
  request: {},
  response: {
    start_time: f.u64(),
    total_bytes_in: f.u64(),
    total_bytes_out: f.u64(),
    total_packets_in: f.u64(),
    total_packets_out: f.u64(),
  },
  handler: (_request, { node, p2p }) => {
    const { bytesIn, bytesOut, packetsIn, packetsOut } = p2p.netStats;
    return {
      start_time: node.startTime,
      total_bytes_in: bytesIn,
      total_bytes_out: bytesOut,
      total_packets_in: packetsIn,
      total_packets_out: packetsOut,
    };
  },
});
