/** The settings' documentation, from the schema that reads them: `docs/settings.md` and `.env.example`. */
import { SETTINGS } from '../src/start/settings.ts';

type Setting = { readonly name: string; readonly fallback: string; readonly text: string };

export function settings(): readonly Setting[] {
  return Object.entries(SETTINGS).map(([name, schema]) => {
    const parsed = schema.safeParse(undefined);
    const fallback = parsed.success && parsed.data !== undefined ? String(parsed.data) : '';
    return { name, fallback, text: schema.description ?? '' };
  });
}

function settingsTable(): string {
  const rows = settings().map(
    ({ name, fallback, text }) => `| \`${name}\` | ${fallback === '' ? '' : `\`${fallback}\``} | ${text} |`,
  );
  return ['| setting | default | meaning |', '|---|---|---|', ...rows].join('\n');
}

export function settingsPage(): string {
  return `# Settings

Environment variables only. If any value is wrong, the server lists all wrong values and does not start. [.env.example](../.env.example) has the same list. Written by \`npm run docs\`.

${settingsTable()}
`;
}

export function envExample(): string {
  const lines = settings().map(({ name, fallback, text }) => `# ${text}\n# ${name}=${fallback}`);
  return `# Everything has a default: an empty environment runs the demo. Production needs NODE_ENV=production and APP_URL.\n# Load it with: node --env-file=.env dist/src/main.js\n\n${lines.join('\n\n')}\n`;
}
