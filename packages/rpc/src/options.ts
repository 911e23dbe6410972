/** Settings of the RPC gateway; defaults in {@link DEFAULT_RPC_OPTIONS}. */
export interface RpcOptions {
  /** Address to listen on. Anything but loopback needs {@link RpcOptions.confirmExternalBind}. */
  bindIp: string;
  /** Port to listen on; 0 lets the system choose (see `RpcServer.ports`). */
  bindPort: number;
  /** Address of the second, restricted listener; `127.0.0.1` when absent. Needs no confirmation. */
  restrictedBindIp?: string;
  /** Port of the second, restricted listener; absent = no such listener, 0 lets the system choose. */
  restrictedBindPort?: number;
  /** The main listener serves the restricted view too. */
  restrictedRpc: boolean;
  confirmExternalBind: boolean;
  /** Origins that may read answers from a browser; `*` allows any. */
  corsOrigins: string[];
  /** Connections of one public address; 3 when absent. */
  maxConnectionsPerPublicIp?: number;
  /** Connections of one private or loopback address; 25 when absent. */
  maxConnectionsPerPrivateIp?: number;
  /** Connections over all addresses, per listener; 100 when absent. */
  maxConnections?: number;
  /** Bytes of answers that may wait to be sent before further requests wait; 25 MiB when absent. */
  responseSoftLimit?: number;
  /** Don't ban an address for failing block requests. */
  disableRpcBan?: boolean;
}

export const DEFAULT_RPC_OPTIONS = {
  restrictedBindIp: '127.0.0.1',
  maxConnectionsPerPublicIp: 3,
  maxConnectionsPerPrivateIp: 25,
  maxConnections: 100,
  responseSoftLimit: 26_214_400,
  disableRpcBan: false,
} as const;
