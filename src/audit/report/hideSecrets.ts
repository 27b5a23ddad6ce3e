/** Hides what looks like a secret in texts of a site, so that no copy of it gives anything away. */

const HIDDEN = '[hidden]';

/** A parameter of an address, or of its path, with its value. */
const PARAMETER = /([?&;](?:amp;)?)([\w.-]{1,60})(=|%3D)([^&#?"'<>()\s\\;]+)/gi;
/** Names of parameters that carry secrets; of several words, the last one counts. */
const SECRET =
  /(?:^|[-_.])(?:[a-z]{0,20}token|[a-z]{0,20}key|[a-z]{0,20}sess(?:ion)?(?:[-_]?id)?|auth|authorization|secret|password|passwd|passcode|pwd|pass|sig|signature|hmac|sid|jwt|otp|nonce|credentials?|ticket|code|state|assertion|email)$/i;
/** `//user:password@host` */
const USER = /(\/\/)[^/?#"'<>()\s\\@]{1,200}@/g;
/** A JSON Web Token at the beginning of a run of its characters, so that each is looked at once; also of a line in JSON. */
const TOKEN = /(?<=^|[^\w-]|\\[nrt])eyJ[\w-]{8,1000}\.[\w-]{4,2000}(?:\.[\w-]{0,1000})?/g;
const NONCE = /('nonce-)[^']{1,200}'/g;

/** In time linear to the text. Also takes JSON and Markdown, which stay what they are. */
export function hideSecrets(text: string): string {
  return text
    .replace(USER, '$1')
    .replace(PARAMETER, (whole, before: string, name: string, equals: string, value: string) =>
      SECRET.test(name) || isRandom(value) ? `${before}${name}${equals}${HIDDEN}` : whole,
    )
    .replace(TOKEN, HIDDEN)
    .replace(NONCE, `$1${HIDDEN}'`);
}

const LEAST_RANDOM = 20;
const LEAST_TURNS = 4;

/** No person would have chosen it: a long run of letters and digits in which the two take turns. */
function isRandom(value: string): boolean {
  return value.split(/[^a-z0-9]/i).some((run) => {
    if (run.length < LEAST_RANDOM) return false;
    return (run.match(/[a-z]\d|\d[a-z]/gi)?.length ?? 0) >= LEAST_TURNS;
  });
}
