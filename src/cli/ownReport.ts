/** A custom report in a file: loading it, and an example to start from. */
import { existsSync, writeFileSync } from 'node:fs';
import { basename, dirname, extname, join, relative, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import * as z from 'zod';
import { EVENT_TYPES } from '../domain/eventTypes.ts';
import { REPORTS, reportNamed } from '../reports/all.ts';
import type { AnyReport } from '../reports/report.ts';
import { BadInput } from './logAt.ts';

const KNOWN: readonly string[] = EVENT_TYPES;
const isFunction = z.custom<(...given: never[]) => unknown>(
  (value) => typeof value === 'function',
  'Must be a function',
);

const OwnReport = z.object({
  name: z.string().regex(/^[a-z][a-z0-9-]*$/, 'Use lowercase letters, digits and hyphens'),
  title: z.string().min(1),
  description: z.string().min(1),
  types: z
    .array(z.string())
    .min(1, 'Name at least one event type')
    .superRefine((types, context) => {
      for (const type of types.filter((each) => !KNOWN.includes(each)))
        context.addIssue({ code: 'custom', message: `Unknown event type ${type}` });
    }),
  initial: isFunction,
  evolve: isFunction,
  tables: isFunction,
  merge: isFunction.optional(),
});

/** Whether a report is given as a file. */
const isReportFile = (text: string): boolean => /\.(js|mjs|ts|mts)$/.test(text);

/** By its name, or by the file of an own one. @throws BadInput */
export async function reportOf(name: string): Promise<AnyReport> {
  if (isReportFile(name)) return loadReport(name);
  const report = reportNamed(name);
  if (!report)
    throw new BadInput(`There is no report ${name}. There are: ${REPORTS.map((each) => each.name).join(', ')}.`);
  return report;
}

/** The default export of a report file. @throws BadInput */
async function loadReport(file: string): Promise<AnyReport> {
  const path = resolve(file);
  if (!existsSync(path)) throw new BadInput(`--report: no such file: ${file}.`);
  const report = exportedBy(await load(path));
  const parsed = OwnReport.safeParse(report);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new BadInput(
      `--report: ${file} has no report as its default export: ${[issue?.path.join('.'), issue?.message].filter(Boolean).join(': ')}.`,
    );
  }
  return report as AnyReport;
}

/** Unless a `package.json` says otherwise, tsx makes it a CommonJS module, whose default contains the file's own. */
function exportedBy({ default: exported }: { readonly default?: unknown }): unknown {
  return typeof exported === 'object' && exported !== null && 'default' in exported ? exported.default : exported;
}

async function load(path: string): Promise<{ readonly default?: unknown }> {
  try {
    return (await (isTypeScript(path) ? importTypeScript(path) : import(pathToFileURL(path).href))) as {
      readonly default?: unknown;
    };
  } catch (error) {
    if (error instanceof BadInput) throw error;
    throw new BadInput(`--report: ${path} cannot be loaded: ${error instanceof Error ? error.message : String(error)}`);
  }
}

const isTypeScript = (path: string): boolean => /\.m?ts$/.test(path);

/** With Node itself if possible, otherwise with tsx if installed. */
async function importTypeScript(path: string): Promise<unknown> {
  const url = pathToFileURL(path).href;
  if ('typescript' in process.features && process.features.typescript) return import(url);
  const tsx = await import('tsx/esm/api').catch(() => null);
  if (tsx) return tsx.tsImport(url, import.meta.url);
  throw new BadInput(
    `--report: Node ${process.versions.node} does not load TypeScript. Use Node 22.18 or newer, or write the report as .js.`,
  );
}

/** Writes a working example. @throws BadInput when the file already exists */
export function scaffoldReport(file: string): void {
  if (!isReportFile(file)) throw new BadInput('--scaffold: the file name must end in .ts or .js.');
  if (existsSync(file)) throw new BadInput(`--scaffold: ${file} already exists.`);
  const folder = dirname(resolve(file));
  if (!existsSync(folder)) throw new BadInput(`--scaffold: no such folder: ${folder}.`);
  const from = (path: string): string => {
    const way = relative(folder, path).replaceAll('\\', '/');
    return way.startsWith('.') ? way : `./${way}`;
  };
  // Run from source, the helpers are TypeScript, which tsx and Node load as well.
  const helpers = fileURLToPath(
    new URL(`../reports/dailySums${extname(fileURLToPath(import.meta.url))}`, import.meta.url),
  );
  const types = join(dirname(helpers).replace(/([\\/])dist([\\/]src[\\/]reports)$/, '$2'), 'report.ts');
  writeFileSync(file, example(file, from(helpers), isTypeScript(file) && existsSync(types) ? from(types) : null), {
    flag: 'wx',
  });
}

function example(file: string, helpers: string, types: string | null): string {
  const name =
    basename(file)
      .replace(/\.m?[jt]s$/, '')
      .toLowerCase()
      .replace(/[^a-z0-9]+/g, '-')
      .replace(/^[^a-z]+|-+$/g, '') || 'mine';
  const sums = `dailySums(['tld'], ['audits'])`;
  return `import { addTo, dailySums, sumsBy } from '${helpers}';
${types === null ? '' : `import type { Report } from '${types}';\n`}
/** Submitted audits by top-level domain: a fold over the log, and the tables made from it. */
const report${types === null ? '' : `: Report<ReturnType<typeof nothing>>`} = {
  name: '${name}',
  title: 'Audits by top-level domain',
  description: 'How many audits were submitted for sites in .com, .org and so on.',
  // Only these event types are read. docs/events.md lists all types and their fields.
  types: ['JobSubmitted'],
  initial: nothing,
  // Must be deterministic: no clock, no randomness, no I/O. It may change the state in place.
  evolve(state, event) {
    const { host } = event.data${types === null ? '' : ' as { readonly host: string }'};
    addTo(state, event.metadata.at, { tld: host.slice(host.lastIndexOf('.')) }, { audits: 1 });
    return state;
  },
  // \`params\`: the requested from, to and by.
  tables: (state, params) => [
    {
      name: 'over-time',
      title: 'Audits over time',
      columns: [
        { key: 'step', label: 'From', kind: 'date' },
        { key: 'tld', label: 'Top-level domain', kind: 'text' },
        { key: 'audits', label: 'Audits', kind: 'count' },
      ],
      rows: sumsBy(state, params, ['step', 'tld']),
    },
  ],
};

function nothing() {
  return ${sums};
}

export default report;
`;
}
