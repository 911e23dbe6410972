#!/bin/sh
exec node /usr/lib/monero-node/node_modules/@monero-node/daemon/dist/@PROGRAM@ "$@"
