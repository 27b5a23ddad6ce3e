/** What clients can read as a whole, for people or in bulk; what tools return is cut to what a model can take. */

import { getActions } from '../routes/actions.ts';
import { getCheck, getChecks } from '../routes/checks.ts';
import { getFile } from '../routes/files.ts';
import type { CallRoute } from './callRoute.ts';

export const RESOURCES = [
  { uri: 'seo://checks', name: 'checks', title: 'All checks', mimeType: 'application/json' },
  { uri: 'seo://tasks', name: 'tasks', title: 'Tasks of your newest audit', mimeType: 'application/json' },
] as const;

const AUDIT = 'seo://audits/{audit_id}';
export const RESOURCE_TEMPLATES = [
  { uriTemplate: 'seo://checks/{check}', name: 'check', title: 'A check', mimeType: 'application/json' },
  { uriTemplate: `${AUDIT}/summary`, name: 'summary', title: 'Summary of an audit', mimeType: 'text/markdown' },
  { uriTemplate: `${AUDIT}/report`, name: 'report', title: 'Report of an audit', mimeType: 'text/markdown' },
  { uriTemplate: `${AUDIT}/findings`, name: 'findings', title: 'All findings', mimeType: 'application/json' },
] as const;

const HOUR_MS = 3_600_000;
/** The same for everybody until the next version, or one user's. */
const PUBLIC = { ttlMs: HOUR_MS, cacheScope: 'public' } as const;
const PRIVATE = { ttlMs: 60_000, cacheScope: 'private' } as const;

const FILES: Readonly<Record<string, readonly [name: string, type: string]>> = {
  summary: ['executive-summary.md', 'text/markdown'],
  report: ['seo-audit-report.md', 'text/markdown'],
  findings: ['findings.json', 'application/json'],
};
/** Characters; larger files are downloaded. */
const FILE_MAX = 2_000_000;

type Read = {
  readonly contents: { readonly uri: string; readonly mimeType: string; readonly text: string }[];
  readonly ttlMs: number;
  readonly cacheScope: 'public' | 'private';
};

/** Null: there is no such resource. @throws RouteRefusal */
export async function readResource(uri: string, call: CallRoute): Promise<Read | null> {
  const asJson = (value: unknown, hint: typeof PUBLIC | typeof PRIVATE): Read => ({
    contents: [{ uri, mimeType: 'application/json', text: JSON.stringify(value) }],
    ...hint,
  });
  if (uri === 'seo://checks') return asJson((await call(getChecks)).data, PUBLIC);
  if (uri === 'seo://tasks') return asJson({ untrusted: (await call(getActions)).actions }, PRIVATE);
  const checkId = /^seo:\/\/checks\/([\w-]{1,200})$/.exec(uri)?.[1];
  if (checkId !== undefined) return asJson((await call(getCheck, { params: { checkId } })).data, PUBLIC);
  const [, jobId, part = ''] = /^seo:\/\/audits\/([\w-]{1,200})\/(\w+)$/.exec(uri) ?? [];
  const file = FILES[part];
  if (jobId === undefined || file === undefined) return null;
  const [fileName, mimeType] = file;
  const { content } = (await call(getFile, { params: { jobId, fileName } })).data;
  const text =
    content.length <= FILE_MAX
      ? content
      : `This file is too large to be read here. Download GET /jobs/${jobId}/files/${fileName} of the API.`;
  return { contents: [{ uri, mimeType: text === content ? mimeType : 'text/plain', text }], ...PRIVATE };
}
