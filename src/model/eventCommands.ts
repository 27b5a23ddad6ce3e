/**
 * Commands that get anonymized events with a key of scope `events:read` and print how many there were by day and type,
 * as CSV: for the screens, and for docs/analysts.md. The key is never in an address, where logs would keep it, nor among
 * the arguments of a program, which other users of the machine can see.
 */
export type EventCommand = { readonly tool: 'curl' | 'DuckDB' | 'Python'; readonly text: string };

/** To be replaced by the key. */
export const KEY_PLACEHOLDER = 'YOUR_KEY';

/** `origin`: of the installation, such as `https://seo.example.com`. */
export function eventCommands(origin: string): readonly EventCommand[] {
  const url = `${origin}/api/v1/admin/events`;
  const fetched = `printf 'Authorization: Bearer %s' '${KEY_PLACEHOLDER}' |
curl --fail --silent --show-error --header @- '${url}'`;
  return [
    {
      tool: 'curl',
      text: `${fetched} |
awk -F'"' '
  $20 == "type" && $27 == ":" { events[substr($28, 1, 10) "," $22]++ }
  $2 == "end" { whole = 1 }
  END {
    if (!whole) { print "The export is incomplete." > "/dev/stderr"; exit 1 }
    for (each in events) print each "," events[each]
  }' | sort | { echo day,type,events; cat; }`,
    },
    {
      tool: 'DuckDB',
      text: `${fetched} --output events.ndjson &&
duckdb -csv -c "
  SELECT happened_at::DATE AS day, type, count(*) AS events
  FROM read_json('events.ndjson', format = 'newline_delimited', columns = {type: 'VARCHAR', happened_at: 'TIMESTAMP'})
  WHERE type IS NOT NULL
  GROUP BY ALL
  ORDER BY ALL"`,
    },
    {
      tool: 'Python',
      text: `python3 - <<'END'
import collections, csv, json, sys, urllib.request

KEY = '${KEY_PLACEHOLDER}'
URL = '${url}'

request = urllib.request.Request(URL, headers={'Authorization': 'Bearer ' + KEY})
events, whole = collections.Counter(), False
with urllib.request.urlopen(request) as answer:
    for line in answer:
        row = json.loads(line)
        whole = whole or 'end' in row
        if row.get('happened_at'):
            events[row['happened_at'][:10], row['type']] += 1
if not whole:
    sys.exit('The export is incomplete.')
table = csv.writer(sys.stdout, lineterminator='\\n')
table.writerow(['day', 'type', 'events'])
table.writerows([*each, count] for each, count in sorted(events.items()))
END`,
    },
  ];
}
