#!/bin/sh
# Starts @PROGRAM@ with the Node beside it. Needs no other program, and no PATH unless this file is called through a link.
self=$0
if [ -h "$self" ]; then
  self=$(PATH=/usr/bin:/bin readlink -f -- "$self")
fi
case $self in
  */*) folder=${self%/*} ;;
  *) folder=. ;;
esac
lib=$folder/@LIB@
if [ ! -e @LOADER@ ]; then
  echo "@PROGRAM@ needs glibc 2.31 or newer, and this system has none (@LOADER@ is missing): Alpine and other systems with musl cannot run it" >&2
  exit 1
fi
exec "$lib/node" "$lib/node_modules/@monero-node/daemon/dist/@SCRIPT@" "$@"
