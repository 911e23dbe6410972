import type { ConnectionInfo } from '@monero-node/p2p';
import type { ConnectionAnswer } from '@monero-node/rpc-schema';

/** Returns the answer about one connection. Times are in seconds, rates in bytes per second. */
export function connectionAnswer(info: ConnectionInfo): ConnectionAnswer {
  return {
    address: info.address,
    address_type: info.addressType,
    avg_download: info.avgDownload,
    avg_upload: info.avgUpload,
    connection_id: info.connectionId,
    current_download: info.currentDownload,
    current_upload: info.currentUpload,
    height: info.height,
    host: info.host,
    incoming: info.incoming,
    ip: info.ip,
    live_time: info.liveTime,
    local_ip: info.localIp,
    localhost: info.localhost,
    peer_id: info.peerId,
    port: info.port,
    pruning_seed: info.pruningSeed,
    recv_count: info.recvCount,
    recv_idle_time: info.recvIdleTime,
    rpc_credits_per_hash: info.rpcCreditsPerHash,
    rpc_port: info.rpcPort,
    send_count: info.sendCount,
    send_idle_time: info.sendIdleTime,
    state: info.state,
    support_flags: info.supportFlags,
  };
}
