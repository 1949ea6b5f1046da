# Lines with goals, for the scripts of this folder: "label value goal >= limit: reached", or MISSED.
# shellcheck shell=bash

# For awk programs that begin with "$goals". sense: ">=" or "<=".
goals='
  function goal(label, value, sense, limit,   good) {
    if (value !~ /^[0-9]/) {
      printf "  %-44s %10s  goal %s %g: MISSED\n", label, "failed", sense, limit
      return
    }
    good = sense == ">=" ? value >= limit : value <= limit
    printf "  %-44s %10.3g  goal %s %g: %s\n", label, value, sense, limit, good ? "reached" : "MISSED"
  }'

# goal LABEL VALUE SENSE LIMIT
goal() { awk -v label="$1" -v value="$2" -v sense="$3" -v limit="$4" "$goals"' BEGIN { goal(label, value, sense, limit) }'; }

# quotient A B
quotient() { awk -v a="$1" -v b="$2" 'BEGIN { print (a > 0 && b > 0 ? a / b : "none") }'; }

# beside PATTERN COLUMN: the number in a column of the lines that fit, columns being parted by two spaces or more
beside() { awk -F '  +' -v pattern="$1" -v column="$2" '$2 ~ pattern { print $column }'; }
