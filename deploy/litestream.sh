#!/bin/sh
# Replicates and restores an installation's stores with Litestream 0.3 (litestream.yml says what it needs):
#
#   litestream.sh replicate   runs until it is ended; takes in new workspaces within a minute
#   litestream.sh restore     restores the newest state into an empty DATA_DIR
#   litestream.sh restore-to TIME [OPTION …]
#                             restores the state of that time, as 2026-11-27T09:30:00Z; then makes it an installation of its own
#                             (`restore --in-place OPTION …`) and checks it (`verify`): all that is needed before the start
#
# The ledger is restored as it was a second before the last change that was replicated, or before TIME, so that it is never newer than
# a workspace's store. After `restore` run `npm run -s cli -- restore --in-place`, which makes it an installation of its own, and `verify`; then
# start the service. deploy/drill.mjs does all of that.
set -eu
umask 077
: "${DATA_DIR:?DATA_DIR is missing}" "${REPLICA_URL:?REPLICA_URL is missing}"
here=$(CDPATH='' cd -- "$(dirname -- "$0")" && pwd)
litestream=${LITESTREAM:-litestream}
export DATA_DIR REPLICA_URL

# litestream.yml, with an entry for each workspace. Reads their paths, from DATA_DIR.
config() {
  cat "$here/litestream.yml"
  sort | while read -r path; do
    sed -n '/^  - path:/,$p' "$here/litestream.yml" | sed "s|control\.sqlite|$path|"
  done
}

stores() {
  mkdir -p "$DATA_DIR/workspaces"
  (cd "$DATA_DIR" && find workspaces -name '*.sqlite')
}

end() {
  [ -z "$child" ] || kill "$child" || true
  [ -z "$child" ] || wait "$child" || true
  rm -rf "$work"
}

replicate() {
  trap 'end; exit 0' TERM INT
  while :; do
    stores | config > "$work/running.yml"
    "$litestream" replicate -config "$work/running.yml" &
    child=$!
    until ! cmp -s "$work/running.yml" "$work/next.yml" && [ -e "$work/next.yml" ]; do
      # A sleep in the background, so that a signal is heard at once.
      sleep "${RELOAD_SECONDS:-60}" &
      wait $!
      kill -0 "$child" || { wait "$child"; exit 1; }
      stores | config > "$work/next.yml"
    done
    kill "$child"
    wait "$child" || true
    rm "$work/next.yml"
  done
}

# When a store was last written to, as far as it is replicated: last_of CONFIG PATH.
last_of() {
  "$litestream" wal -config "$1" "$2" | awk 'NR > 1 { print $NF }' | LC_ALL=C sort | tail -n 1
}

# The earlier of two times.
earlier() {
  printf '%s\n%s\n' "$1" "$2" | LC_ALL=C sort | head -n 1
}

# Restores a store as it was at $target, or its newest state: restore_store CONFIG PATH. Litestream refuses a time after the last change.
restore_store() {
  if [ -n "$target" ] && [ "$(earlier "$(last_of "$1" "$2")" "$target")" = "$target" ]; then
    "$litestream" restore -config "$1" -timestamp "$target" "$2"
  else
    "$litestream" restore -config "$1" "$2"
  fi
}

restore() {
  if [ -n "$(ls -A "$DATA_DIR" 2>/dev/null)" ]; then
    echo "$DATA_DIR (DATA_DIR) is not empty: restore into an empty directory." >&2
    exit 1
  fi
  ledger=$DATA_DIR/control.sqlite
  last=$(last_of "$here/litestream.yml" "$ledger")
  [ -n "$last" ] || { echo "$REPLICA_URL has no ledger." >&2; exit 1; }
  [ -z "$target" ] || last=$(earlier "$last" "$target")
  before=$(date -u -d "$last - 1 seconds" +%Y-%m-%dT%H:%M:%SZ)
  if ! "$litestream" restore -config "$here/litestream.yml" -timestamp "$before" "$ledger"; then
    [ -z "$target" ] || { echo "$REPLICA_URL does not go back to $target." >&2; exit 1; }
    "$litestream" restore -config "$here/litestream.yml" "$ledger"
  fi
  (cd "$here/.." && LOG_LEVEL=silent npm run -s cli -- workspace list --json) |
    grep -o '"id":"[0-9a-f-]*"' | sed 's|.*"\(.*\(..\)\)"$|workspaces/\2/\1.sqlite|' > "$work/stores"
  config < "$work/stores" > "$work/all.yml"
  while read -r path; do
    mkdir -p "$(dirname "$DATA_DIR/$path")"
    # A workspace that has come within the last minute may have no replica yet.
    restore_store "$work/all.yml" "$DATA_DIR/$path" ||
      echo "$path has no replica: the workspace is missing." >&2
  done < "$work/stores"
}

# Whether the lists that --erased names are there: it is said before anything is restored. Commands run in the folder of the program.
lists_are_there() {
  option=
  missing=
  for word in "$@"; do
    case $word in
      --erased=*) option= word=${word#*=} ;;
      -*) option=$word; continue ;;
      *) [ "$option" = --erased ] || continue ;;
    esac
    (cd "$here/.." && [ -d "$word" ]) || { missing=1; echo "$word is not there." >&2; }
  done
  [ -z "$missing" ]
}

work=$(mktemp -d)
child=
target=
case ${1:-} in
  replicate) replicate ;;
  restore)
    restore
    rm -rf "$work"
    ;;
  restore-to)
    [ -n "${2:-}" ] && target=$(date -u -d "$2" +%Y-%m-%dT%H:%M:%SZ) ||
      { echo "Say a time, as 2026-11-27T09:30:00Z." >&2; exit 2; }
    shift 2
    lists_are_there "$@" || exit 1
    restore
    rm -rf "$work"
    cd "$here/.."
    npm run -s cli -- restore --in-place "$@" || {
      echo "The stores are in $DATA_DIR as they were. Mend that, and go on there: npm run -s cli -- restore --in-place OPTION …, then npm run -s cli -- verify." >&2
      exit 1
    }
    npm run -s cli -- verify
    ;;
  *) echo "Usage: $0 replicate|restore|restore-to TIME [OPTION …]" >&2; exit 2 ;;
esac
