#!/bin/sh
# Brings a mail to the service, as Postfix pipes it in: bring-mail.sh RECIPIENT < mail
# Beside it, readable for its user alone, `bring-mail.conf` has two lines: URL=https://screening.example.org and SECRET=… (MAIL_INBOUND_SECRET).

# Exit codes of sysexits.h, which Postfix knows: it brings the mail again later.
LATER=75

umask 077
. "${BRING_MAIL_CONF:-$(dirname "$0")/bring-mail.conf}" || exit $LATER
export SECRET
mail=$(mktemp) || exit $LATER
trap 'rm -f "$mail"' EXIT
# A report stands at the beginning. The service takes no more than 1 MiB.
head -c 1000000 > "$mail" || exit $LATER

at=$(date +%s)
# In the environment and not as an argument: all users of a machine see the arguments of programs.
signature=$(perl -MDigest::SHA=hmac_sha256_hex -0777 -e \
  'my ($at, $to) = @ARGV; print hmac_sha256_hex("$at.$to." . <STDIN>, $ENV{SECRET})' "$at" "$1" < "$mail") || exit $LATER

status=$(curl --silent --show-error --max-time 60 --output /dev/null --write-out '%{http_code}' \
  --url-query "recipient=$1" --header 'Content-Type: message/rfc822' \
  --header "X-Mail-Timestamp: $at" --header "X-Mail-Signature: $signature" \
  --data-binary "@$mail" "$URL/mail/inbound") || exit $LATER

case $status in
  200) exit 0 ;;
  # A second time it would be refused as well.
  400 | 403 | 413) echo "The service refuses the mail: $status" && exit 0 ;;
  *) echo "The service can't take the mail now: $status" && exit $LATER ;;
esac
