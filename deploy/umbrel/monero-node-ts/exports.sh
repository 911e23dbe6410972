# shellcheck shell=bash
# Sourced by Umbrel. The addresses must not be those of another app: ../README.md
export APP_MONERO_NODE_TS_NODE_IP="10.21.21.231"
export APP_MONERO_NODE_TS_TOR_IP="10.21.21.232"

# Ports of the machine. The node itself listens on monerod's.
export APP_MONERO_NODE_TS_P2P_PORT="18180"
export APP_MONERO_NODE_TS_RPC_PORT="18181"
export APP_MONERO_NODE_TS_ZMQ_PORT="18183"
export APP_MONERO_NODE_TS_RESTRICTED_RPC_PORT="18189"
export APP_MONERO_NODE_TS_ONION_PORT="18084"

# The service "tor" writes these files when it starts for the first time, so the app has to start once more after that.
monero_node_ts_onion() {
  cat "${EXPORTS_TOR_DATA_DIR}/app-${EXPORTS_APP_ID}-$1/hostname" 2>/dev/null || echo "not-yet-known.onion"
}
APP_MONERO_NODE_TS_RPC_HIDDEN_SERVICE="$(monero_node_ts_onion rpc)"
APP_MONERO_NODE_TS_P2P_HIDDEN_SERVICE="$(monero_node_ts_onion p2p)"
export APP_MONERO_NODE_TS_RPC_HIDDEN_SERVICE APP_MONERO_NODE_TS_P2P_HIDDEN_SERVICE

monero_node_ts_options=(
  --rpc-bind-ip=0.0.0.0
  --rpc-restricted-bind-ip=0.0.0.0
  --rpc-restricted-bind-port=18089
  --confirm-external-bind
  # The page of the node is opened by this name.
  "--rpc-allowed-hosts=${DEVICE_DOMAIN_NAME:-umbrel.local}"
  --zmq-pub=tcp://0.0.0.0:18083
  "--p2p-external-port=${APP_MONERO_NODE_TS_P2P_PORT}"
  # Own transactions leave over Tor only.
  "--tx-proxy=tor,${APP_MONERO_NODE_TS_TOR_IP}:9050,16"
)
if [[ "${APP_MONERO_NODE_TS_P2P_HIDDEN_SERVICE}" != not-yet-known.onion ]]; then
  monero_node_ts_options+=("--anonymous-inbound=${APP_MONERO_NODE_TS_P2P_HIDDEN_SERVICE}:${APP_MONERO_NODE_TS_ONION_PORT},0.0.0.0:${APP_MONERO_NODE_TS_ONION_PORT},16")
fi
export APP_MONERO_NODE_TS_COMMAND="${monero_node_ts_options[*]}"
unset monero_node_ts_options
unset -f monero_node_ts_onion
