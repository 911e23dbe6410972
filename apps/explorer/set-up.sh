#!/bin/sh
# Installs PostgreSQL and nats-server from Debian, and makes a role and a database named "explorer" for the user who runs this.
#
#   sh apps/explorer/set-up.sh
set -eu

sudo=''
[ "$(id -u)" = 0 ] || sudo=sudo
$sudo apt-get update -qq
$sudo env DEBIAN_FRONTEND=noninteractive apt-get install -y -qq postgresql nats-server
$sudo service postgresql start

# Nobody logs in with a password: PostgreSQL knows the user at the other end of its socket.
as_postgres() { (cd / && $sudo runuser -u postgres -- "$@"); }
user=$(id -un)
as_postgres psql -tAc "SELECT 1 FROM pg_roles WHERE rolname = '$user'" | grep -q 1 || as_postgres createuser "$user"
as_postgres psql -tAc "SELECT 1 FROM pg_database WHERE datname = 'explorer'" | grep -q 1 ||
  as_postgres createdb --owner "$user" explorer

echo "ready: --database 'postgres://$user@/explorer?host=/var/run/postgresql'"
