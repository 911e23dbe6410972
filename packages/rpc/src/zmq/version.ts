/** Version of the ZeroMQ interface: 2.0. Source: src/rpc/daemon_rpc_version.h. */
export const ZMQ_RPC_VERSION = 2 << 16;
