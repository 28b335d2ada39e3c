#!/usr/bin/env bash
# Tests against real servers. Installs them from Debian's packages if they are missing.
set -euo pipefail
cd "$(dirname "$0")/../.."

needed=()
[ -x /usr/bin/chromium ] || needed+=(chromium)
command -v openssl >/dev/null || needed+=(openssl)
[ -x /usr/sbin/dovecot ] || needed+=(dovecot-imapd)
[ -x /usr/lib/rabbitmq/bin/rabbitmq-server ] || needed+=(rabbitmq-server)

if [ "${#needed[@]}" -gt 0 ]; then
  root=()
  if [ "$(id -u)" -ne 0 ]; then root=(sudo -n); fi
  if ! command -v apt-get >/dev/null || { [ "${#root[@]}" -gt 0 ] && ! sudo -n true 2>/dev/null; }; then
    echo "These tests need the Debian packages: ${needed[*]}. Install them, or run this as root or with sudo." >&2
    exit 1
  fi
  echo "Installing ${needed[*]} ..."
  export DEBIAN_FRONTEND=noninteractive
  "${root[@]}" apt-get update -qq
  "${root[@]}" apt-get install -y -qq --no-install-recommends "${needed[@]}" >/dev/null
fi

# Tools that only these tests use have a package.json of their own, so that npm ci of the service stays small.
tools=test/servers
if [ ! -e "$tools/node_modules/.package-lock.json" ] || [ "$tools/package-lock.json" -nt "$tools/node_modules/.package-lock.json" ]; then
  echo "Installing the packages of $tools ..."
  PATH="$PWD/node_modules/.bin:$PATH" npm ci --prefix "$tools" --loglevel=error
fi

exec node_modules/.bin/node node_modules/vitest/vitest.mjs run --config test/servers/vitest.config.ts "$@"
