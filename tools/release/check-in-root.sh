#!/bin/sh
# Runs inside a bare root of Debian, with nothing but its essential packages: tools/release/try-in-roots.mjs
#
#   check-in-root.sh archive FILE | deb FILE NEXT
set -eu

data=/srv/data

fail() {
  echo "failed: $1" >&2
  cat /tmp/log >&2 || true
  exit 1
}

# Starts the program in the background and waits until a remote command gets an answer.
start() {
  program=$1
  shift
  "$@" "$program" --regtest --keep-fakechain --offline --non-interactive --data-dir "$data" >/tmp/log 2>&1 &
  pid=$!
  tries=0
  until "$program" status >/tmp/status 2>&1; do
    tries=$((tries + 1))
    [ "$tries" -lt 300 ] || fail 'no answer'
    kill -0 "$pid" || fail 'the node ended'
    sleep 1
  done
  grep -q Height /tmp/status || fail 'no height in the status'
}

stop() {
  kill -TERM "$pid"
  wait "$pid" || fail "exit status $?"
  grep -q 'crypto: native' /tmp/log || fail 'no native code'
}

packages() {
  dpkg-query --show --showformat='${Package} ${Status}\n' | grep -v '^monero-node '
}

mkdir -p "$data"
packages >/tmp/before

case $1 in
  archive)
    mkdir /opt/first /opt/second
    tar -xzf "$2" -C /opt/first --strip-components=1
    start /opt/first/monero-node
    /opt/first/lib/node /check/first-block.mjs
    stop
    # The next release lies beside it.
    tar -xzf "$2" -C /opt/second --strip-components=1
    start /opt/second/monero-node
    grep -q 'Height: 2' /tmp/status || fail 'the chain was not kept'
    stop
    /opt/second/monero-node-chain --version >/dev/null
    rm -r /opt/first /opt/second
    ;;
  deb)
    dpkg --install "$2"
    install -d -o monero-node -g monero-node -m 700 "$data"
    user='setpriv --reuid monero-node --regid monero-node --clear-groups'
    # shellcheck disable=SC2086
    start monero-node $user
    /usr/lib/monero-node/node /check/first-block.mjs
    stop
    echo 'out-peers=4' >>/etc/monero-node/monero-node.conf
    dpkg --install "$3"
    grep -q out-peers=4 /etc/monero-node/monero-node.conf || fail 'settings were not kept'
    # shellcheck disable=SC2086
    start monero-node $user
    grep -q 'Height: 2' /tmp/status || fail 'the chain was not kept'
    stop
    monero-node-chain --version >/dev/null
    dpkg --purge monero-node
    ! getent passwd monero-node || fail 'its user is left'
    left=$(find /etc /usr /var/log /var/lib/dpkg/info -name '*monero*')
    [ -z "$left" ] || fail "left: $left"
    ;;
esac
packages | diff /tmp/before - || fail 'other packages have changed'
