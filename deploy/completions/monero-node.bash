# Completions for bash, made by tools/generate-cli-files.mjs.
_monero_node() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} words=
  COMPREPLY=()
  # Bash splits --name=value into three words.
  if [[ $current == = ]]; then
    current=
  elif [[ $previous == = && COMP_CWORD -gt 1 ]]; then
    previous=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  case $previous in
    --config-file | --pidfile | --log-file | --hard-forks | --block-hashes-file | --extra-messages-file | --ban-list | --rpc-login-file | --rpc-ssl-private-key | --rpc-ssl-certificate | --rpc-ssl-ca-certificates | --events-credentials | --events-tls-ca | --events-tls-cert | --events-tls-key | --seed-key-file | --alert-secret-file | --stratum-password-file)
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(compgen -f -- "$current")
      return
      ;;
    --data-dir)
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(compgen -d -- "$current")
      return
      ;;
    --log-level) words='0 1 2 3 4' ;;
    --crypto-backend) words='auto native wasm reference' ;;
    --pow-engine) words='auto native wasm' ;;
    --pow-dataset) words='auto always keep never' ;;
    --check-updates) words='disabled notify download update' ;;
    --fast-block-sync) words='0 1' ;;
    --db-sync-mode) words='safe fast fastest' ;;
    --port-mapping) words='off upnp nat-pmp auto' ;;
    --rpc-page) words='owner all none' ;;
    --rpc-ssl) words='enabled disabled autodetect' ;;
    --rpc-version-string) words='own monerod' ;;
    --seed-verify) words='quick rows' ;;
    --log-format | --max-log-file-size | --max-log-files | --max-concurrency | --fixed-difficulty | --regtest-forks | --update-registry | --prep-blocks-threads | --read-ahead-threads | --block-sync-size | --block-download-max-size | --max-txpool-weight | --block-notify | --reorg-notify | --block-rate-notify | --block-found-notify | --block-fate-notify | --start-mining | --mining-threads | --bg-mining-min-idle-interval | --bg-mining-idle-threshold | --bg-mining-miner-target | --p2p-bind-ip | --p2p-bind-ipv6-address | --p2p-bind-port | --p2p-bind-port-ipv6 | --p2p-external-port | --add-peer | --add-priority-node | --add-exclusive-node | --seed-node | --proxy | --tx-proxy | --anonymous-inbound | --libp2p-listen | --libp2p-peer | --ban-list-interval | --ban-list-sha256 | --out-peers | --in-peers | --limit-rate-up | --limit-rate-down | --limit-rate | --max-connections-per-ip | --rpc-bind-ip | --rpc-bind-ipv6-address | --rpc-bind-port | --rpc-restricted-bind-ip | --rpc-restricted-bind-ipv6-address | --rpc-restricted-bind-port | --rpc-login | --rpc-access-control-origins | --rpc-allowed-hosts | --rpc-hidden-service | --rpc-ssl-allowed-fingerprints | --rpc-max-connections-per-public-ip | --rpc-max-connections-per-private-ip | --rpc-max-connections | --rpc-trusted-proxy | --rpc-client-log | --rpc-workers | --rpc-response-soft-limit | --ready-max-lag | --ready-max-tip-age | --ready-min-peers | --ready-min-disk | --fleet-node | --drain-seconds | --bootstrap-daemon-address | --bootstrap-daemon-login | --bootstrap-daemon-proxy | --zmq-rpc-bind-ip | --zmq-rpc-bind-port | --zmq-pub | --metrics-bind-ip | --metrics-bind-port | --events | --events-prefix | --events-stream | --events-encoding | --events-from | --events-keep-days | --events-replicas | --seed-from | --seed-bind-ip | --seed-bind-port | --alert-command | --alert-webhook | --alert-reorg-depth | --stratum-bind-port | --stratum-bind-ip | --stratum-address | --stratum-password)
      return
      ;;
    *)
      if [[ $current == -* ]]; then
        words='--help --help-all --version --os-version --config-file --detach --pidfile --non-interactive --json --log-file --log-format --log-level --max-log-file-size --max-log-files --max-concurrency --crypto-backend --pow-engine --pow-dataset --data-dir --testnet --stagenet --regtest --keep-fakechain --fixed-difficulty --hard-forks --regtest-forks --offline --check-updates --update-registry --disable-dns-checkpoints --enforce-dns-checkpointing --prune-blockchain --build-tree --sync-pruned-blocks --fast-block-sync --block-hashes-file --prep-blocks-threads --read-ahead-threads --block-sync-size --block-download-max-size --max-txpool-weight --keep-alt-blocks --db-sync-mode --block-notify --reorg-notify --block-rate-notify --block-found-notify --block-fate-notify --extra-messages-file --start-mining --mining-threads --bg-mining-enable --bg-mining-ignore-battery --bg-mining-min-idle-interval --bg-mining-idle-threshold --bg-mining-miner-target --p2p-bind-ip --p2p-bind-ipv6-address --p2p-bind-port --p2p-bind-port-ipv6 --p2p-use-ipv6 --p2p-ignore-ipv4 --p2p-external-port --allow-local-ip --add-peer --add-priority-node --add-exclusive-node --seed-node --proxy --proxy-allow-dns-leaks --tx-proxy --anonymous-inbound --libp2p-listen --libp2p-peer --libp2p-mdns --ban-list --ban-list-interval --ban-list-sha256 --hide-my-port --no-sync --enable-dns-blocklist --port-mapping --out-peers --in-peers --limit-rate-up --limit-rate-down --limit-rate --pad-transactions --max-connections-per-ip --rpc-bind-ip --rpc-bind-ipv6-address --rpc-bind-port --rpc-restricted-bind-ip --rpc-restricted-bind-ipv6-address --rpc-restricted-bind-port --restricted-rpc --rpc-use-ipv6 --rpc-ignore-ipv4 --rpc-login --rpc-login-file --confirm-external-bind --rpc-access-control-origins --rpc-allowed-hosts --rpc-page --rpc-hidden-service --rpc-ssl --rpc-ssl-private-key --rpc-ssl-certificate --rpc-ssl-ca-certificates --rpc-ssl-allowed-fingerprints --rpc-ssl-allow-chained --rpc-ssl-allow-any-cert --disable-rpc-ban --rpc-max-connections-per-public-ip --rpc-max-connections-per-private-ip --rpc-max-connections --rpc-trusted-proxy --rpc-client-log --rpc-workers --rpc-response-soft-limit --rpc-version-string --ready-max-lag --ready-max-tip-age --ready-min-peers --ready-min-disk --fleet-node --drain-seconds --public-node --bootstrap-daemon-address --bootstrap-daemon-login --bootstrap-daemon-proxy --zmq-rpc-bind-ip --zmq-rpc-bind-port --zmq-pub --no-zmq --restricted-zmq-rpc --confirm-zmq-rpc-external-bind --metrics-bind-ip --metrics-bind-port --events --events-credentials --events-tls-ca --events-tls-cert --events-tls-key --events-prefix --events-stream --events-encoding --events-from --events-keep-days --events-replicas --seed-from --seed-verify --seed-key-file --seed-bind-ip --seed-bind-port --alert-command --alert-webhook --alert-secret-file --alert-reorg-depth --stratum-bind-port --stratum-bind-ip --stratum-address --stratum-any-address --stratum-password --stratum-password-file --stratum-tls'
      else
        words='alt_chain_info apropos ban banned bans bc_dyn_stats check_blockchain_pruning diff doctor exit flush_cache flush_txpool hard_fork_info help hide_hr in_peers is_key_image_spent limit limit_down limit_up mining_ledger mining_status out_peers output_histogram pop_blocks print_bc print_block print_cn print_coinbase_tx_sum print_height print_net_stats print_pl print_pl_stats print_pool print_pool_sh print_pool_stats print_status print_tx prune_blockchain relay_tx reload rigs rpc_payments save set_bootstrap_daemon set_log show_hr start_mining status stop_daemon stop_mining sync_info top_clients unban update version'
      fi
      ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}
complete -F _monero_node monero-node
