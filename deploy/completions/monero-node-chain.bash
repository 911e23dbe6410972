# Completions for bash, made by tools/generate-cli-files.mjs.
_monero_node_chain() {
  local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD - 1]} words=
  COMPREPLY=()
  # Bash splits --name=value into three words.
  if [[ $current == = ]]; then
    current=
  elif [[ $previous == = && COMP_CWORD -gt 1 ]]; then
    previous=${COMP_WORDS[COMP_CWORD - 2]}
  fi
  case $previous in
    --input-file | --output-file | --config-file | --hard-forks | --block-hashes-file | --log-file | --seed-key-file)
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(compgen -f -- "$current")
      return
      ;;
    backup | --from-monerod | --to-monerod | --data-dir)
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(compgen -d -- "$current")
      return
      ;;
    --fast-block-sync) words='0 1' ;;
    --db-sync-mode) words='safe fast fastest' ;;
    --crypto-backend) words='auto native wasm reference' ;;
    --pow-engine) words='auto native wasm' ;;
    --pow-dataset) words='auto always keep never' ;;
    --log-level) words='0 1 2 3 4' ;;
    --seed-verify) words='quick rows' ;;
    --from | --to | --block-start | --block-stop | --batch-size | --fixed-difficulty | --regtest-forks | --max-concurrency | --prep-blocks-threads | --read-ahead-threads | --seed-from | --fleet-node | --proxy)
      return
      ;;
    *)
      if ((COMP_CWORD == 1)); then
        words='import export block-hashes backup seed info verify compact'
      else
        case ${COMP_WORDS[1]} in
          import) words='--from-monerod --input-file --verify --block-stop --batch-size --dangerous-unverified-import --config-file --data-dir --testnet --stagenet --regtest --fixed-difficulty --hard-forks --regtest-forks --block-hashes-file --fast-block-sync --db-sync-mode --max-concurrency --prep-blocks-threads --read-ahead-threads --crypto-backend --pow-engine --pow-dataset --log-file --log-level --seed-from --seed-key-file --seed-verify --fleet-node --proxy' ;;
          export) words='--to-monerod --output-file --block-start --block-stop --config-file --data-dir --testnet --stagenet --regtest --fixed-difficulty --hard-forks --regtest-forks --block-hashes-file --fast-block-sync --db-sync-mode --max-concurrency --prep-blocks-threads --read-ahead-threads --crypto-backend --pow-engine --pow-dataset --log-file --log-level --seed-from --seed-key-file --seed-verify --fleet-node --proxy' ;;
          block-hashes) words='--output-file --block-stop --config-file --data-dir --testnet --stagenet --regtest --fixed-difficulty --hard-forks --regtest-forks --block-hashes-file --fast-block-sync --db-sync-mode --max-concurrency --prep-blocks-threads --read-ahead-threads --crypto-backend --pow-engine --pow-dataset --log-file --log-level --seed-from --seed-key-file --seed-verify --fleet-node --proxy' ;;
          backup) words='--digests --config-file --data-dir --testnet --stagenet --regtest --fixed-difficulty --hard-forks --regtest-forks --block-hashes-file --fast-block-sync --db-sync-mode --max-concurrency --prep-blocks-threads --read-ahead-threads --crypto-backend --pow-engine --pow-dataset --log-file --log-level --seed-from --seed-key-file --seed-verify --fleet-node --proxy' ;;
          seed) words='--config-file --data-dir --testnet --stagenet --regtest --fixed-difficulty --hard-forks --regtest-forks --block-hashes-file --fast-block-sync --db-sync-mode --max-concurrency --prep-blocks-threads --read-ahead-threads --crypto-backend --pow-engine --pow-dataset --log-file --log-level --seed-from --seed-key-file --seed-verify --fleet-node --proxy' ;;
          info) words='--json --config-file --data-dir --testnet --stagenet --regtest --fixed-difficulty --hard-forks --regtest-forks --block-hashes-file --fast-block-sync --db-sync-mode --max-concurrency --prep-blocks-threads --read-ahead-threads --crypto-backend --pow-engine --pow-dataset --log-file --log-level --seed-from --seed-key-file --seed-verify --fleet-node --proxy' ;;
          verify) words='--restart --signatures --pow --from --to --config-file --data-dir --testnet --stagenet --regtest --fixed-difficulty --hard-forks --regtest-forks --block-hashes-file --fast-block-sync --db-sync-mode --max-concurrency --prep-blocks-threads --read-ahead-threads --crypto-backend --pow-engine --pow-dataset --log-file --log-level --seed-from --seed-key-file --seed-verify --fleet-node --proxy' ;;
          compact) words='--config-file --data-dir --testnet --stagenet --regtest --fixed-difficulty --hard-forks --regtest-forks --block-hashes-file --fast-block-sync --db-sync-mode --max-concurrency --prep-blocks-threads --read-ahead-threads --crypto-backend --pow-engine --pow-dataset --log-file --log-level --seed-from --seed-key-file --seed-verify --fleet-node --proxy' ;;
        esac
      fi
      ;;
  esac
  mapfile -t COMPREPLY < <(compgen -W "$words" -- "$current")
}
complete -F _monero_node_chain monero-node-chain
