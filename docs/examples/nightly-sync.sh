#!/usr/bin/env bash
# Brings a roster into a screener every night. Needs bash, curl 7.71 or later, and jq. docs/nightly-sync.md explains it.
#
#   nightly-sync.sh sync SCREENER FILE.csv   imports the file; the screener's participants that are not in it are removed
#   nightly-sync.sh apply JOB                applies a plan that was stopped
#   nightly-sync.sh discard JOB              gives it up
#   nightly-sync.sh undo JOB                 takes back what a job did
#
# Environment: SCREENING_URL, SCREENING_KEY, SCREENING_SECRET; MAX_REMOVALS (20%); EXPECTED_ROWS, how many rows the file should
# have (its lines are counted; any: whatever it has); ALLOW, warnings that stop nothing (none; column_missing,
# unknown_column_near); QUERY, more parameters (columns[Mail]=email); RUN, the name of this run (the screener, the day, and a
# checksum). Exit code: 0 done, 1 failed, 2 wrong arguments, 3 somebody has to decide.
set -euo pipefail

usage() {
  sed -n '2,13s/^# \{0,1\}//p' "$0" >&2
  exit 2
}

[ $# -ge 2 ] && [ -n "${SCREENING_URL:-}" ] && [ -n "${SCREENING_KEY:-}" ] && [ -n "${SCREENING_SECRET:-}" ] || usage
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# In a file, because other users of the machine can see a command's arguments.
printf 'X-Service-Api-Key: %s\nX-Service-Api-Secret: %s\n' "$SCREENING_KEY" "$SCREENING_SECRET" > "$work/credentials"

# Calls the API, and prints the body of the answer. Tries again after trouble that may pass. A problem ends the script.
call() {
  local method=$1 path=$2 status
  shift 2
  status=$(curl -gsS -X "$method" -H "@$work/credentials" --retry 5 --retry-all-errors --max-time 300 \
    -D "$work/headers" -o "$work/body" -w '%{http_code}' "$@" "$SCREENING_URL$path") || return 1
  if [ "$status" -ge 400 ]; then
    jq -r '"\(.code): \(.detail)"' "$work/body" >&2
    return 1
  fi
  cat "$work/body"
}

# Waits until a job has ended. Prints it.
ended() {
  local job
  while job=$(call GET "/jobs/$1" -H "Prefer: wait=60"); do
    if jq -e .finishedAt <<< "$job" > /dev/null; then
      printf '%s' "$job"
      return
    fi
    sleep 1
  done
  return 1
}

# The rows of a file whose lines are its rows. Where cells are quoted, or in UTF-16, they need not be.
rows_of() {
  local lines
  if ! tr -d '\000"' < "$1" | cmp -s - "$1"; then
    echo any
    return
  fi
  lines=$(LC_ALL=C grep -ciEv '^[^a-z]*sep=.?[[:space:]]*$|^[[:space:],;]*$' "$1") || true
  echo $((lines > 0 ? lines - 1 : 0))
}

# Plans the import, and applies the plan if nobody has to decide. Prints the job.
sync() {
  local rows query run key job id later tries=0
  rows=${EXPECTED_ROWS:-$(rows_of "$2")}
  query="screenerId=$1&importMode=FULL_SYNC&dryRun=true&maxRemovals=$(jq -rn --arg limit "${MAX_REMOVALS:-20%}" '$limit | @uri')"
  [ "$rows" = any ] || query+="&expectedRows=$rows"
  query+=${QUERY:+&$QUERY}
  run=${RUN:-$1-$(date -u +%F)-$({ printf '%s' "$query" && cat "$2"; } | cksum | tr ' ' -)}
  key=sync-$run
  while :; do
    job=$(call POST "/screener-participants-import?$query" -H "Content-Type: text/csv" -H "Idempotency-Key: $key" \
      -H "Prefer: respond-async" --data-binary "@$2") || return 1
    grep -qi '^idempotency-replayed:' "$work/headers" || tries=$((tries + 1))
    # The same file was imported before, and then another one: what it did does not stand any more.
    later=$({ grep -i '^idempotency-superseded-by:' "$work/headers" || true; } | tail -n 1 | cut -d: -f2 | tr -d ' \r')
    if [ -z "$later" ]; then
      id=$(jq -r .id <<< "$job")
      job=$(ended "$id") || return 1
      if [ "$(jq -r .status <<< "$job")" = PLANNED ] && [ -z "$(doubts "$job")" ]; then
        call POST "/jobs/$id/apply" -H "Prefer: respond-async" > /dev/null || return 1
        job=$(ended "$id") || return 1
      fi
      # Somebody has changed what the plan was made on.
      [ "$(jq -r .problem.code <<< "$job")" = plan_outdated ] && [ "$tries" -lt 5 ] || break
      later=$id
    fi
    key=sync-$run-after-$later
  done
  printf '%s' "$job"
}

# Why a plan is not applied before somebody has looked at it. Nothing, if nobody has to.
doubts() {
  jq -r --arg allowed "${ALLOW:-}" '
    (select(.plan.removalLimit.isExceeded == true)
      | "removal_limit_exceeded: \(.summary.removed) would be removed, and the limit is \(.plan.removalLimit.maxRemovals)."),
    (.warnings // [] | .[] | .code | select(. == "unknown_column_near" or . == "column_missing")
      | select([.] - [$allowed | scan("\\w+")] != []) | "\(.): to import it all the same, set ALLOW=\(.), or apply the plan.")
  ' <<< "$1" | sort -u
}

# Shows how a job has ended, and the rows that somebody may want to look at. The exit code follows from its status.
report() {
  local job=$1 id status rows
  id=$(jq -r .id <<< "$job")
  status=$(jq -r .status <<< "$job")
  jq -r '"Job \(.id): \(.status)", (.summary // {} | to_entries[] | "  \(.key) \(.value)"),
    (.warnings // [] | .[] | "  Warning: \(.message)"), (.problem // empty | "  \(.code): \(.detail)")' <<< "$job"
  [ "$status" != PLANNED ] || doubts "$job" | sed 's/^/  /'
  if [ "$status" != CANCELLED ]; then
    rows=$(call GET "/jobs/$id/rows?filter[outcome][in]=REMOVED&filter[outcome][in]=REJECTED&filter[outcome][in]=KEPT&pagination[limit]=20")
    jq -r '(.items[] | "  \(.outcome) \(.externalUid // "") \([.reason // empty, .errors[].message] | join("; "))"),
      (.total - (.items | length) | select(. > 0) | "  … and \(.) more")' <<< "$rows"
  fi
  case $status in
    SUCCEEDED) exit 0 ;;
    PLANNED)
      echo "Nothing was changed. Look at the rows, then: $0 apply $id, or: $0 discard $id"
      exit 3
      ;;
    *) exit 1 ;;
  esac
}

case $1 in
  sync)
    [ $# -eq 3 ] && [ -r "$3" ] || usage
    job=$(sync "$2" "$3")
    report "$job"
    ;;
  apply) job=$(call POST "/jobs/$2/apply" -H "Prefer: respond-async") ;;
  discard)
    call DELETE "/jobs/$2" > /dev/null
    echo "Job $2: CANCELLED"
    exit 0
    ;;
  undo) job=$(call POST "/jobs/$2/undo" -H "Idempotency-Key: undo-$2" -H "Prefer: respond-async") ;;
  *) usage ;;
esac
job=$(ended "$(jq -r .id <<< "$job")")
report "$job"
