import type { HandlerOf } from '../method.ts';

/** Returns the bytes and messages exchanged with peers since the start. */
export const getNetStats: HandlerOf<'getNetStats'> = (_request, { node, p2p }) => {
  const { bytesIn, bytesOut, packetsIn, packetsOut } = p2p.netStats;
  return {
    start_time: node.startTime,
    total_bytes_in: bytesIn,
    total_bytes_out: bytesOut,
    total_packets_in: packetsIn,
    total_packets_out: packetsOut,
  };
};
