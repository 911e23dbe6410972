import type { ConnectionInfo } from '@monero-node/p2p';
import { f } from '../wire/fields.ts';
import { defineTable, type OutputOf } from '../wire/kinds.ts';

/** `connection_info` of rpc.md section 4. */
export const CONNECTION_INFO = defineTable({
  address: f.text(),
  address_type: f.u8(),
  avg_download: f.u64(),
  avg_upload: f.u64(),
  connection_id: f.text(),
  current_download: f.u64(),
  current_upload: f.u64(),
  height: f.u64(),
  host: f.text(),
  incoming: f.bool(),
  ip: f.text(),
  live_time: f.u64(),
  local_ip: f.bool(),
  localhost: f.bool(),
  peer_id: f.text(),
  port: f.text(),
  pruning_seed: f.u32(),
  recv_count: f.u64(),
  recv_idle_time: f.u64(),
  rpc_credits_per_hash: f.u32(),
  rpc_port: f.u16(),
  send_count: f.u64(),
  send_idle_time: f.u64(),
  state: f.text(),
  support_flags: f.u32(),
});

export function connectionAnswer(
  info: ConnectionInfo,
): OutputOf<(typeof CONNECTION_INFO)['fields']> {
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
