/** What an audit found, by issue, place, page and check. */
import * as z from 'zod';
import { CATEGORIES, IMPACTS } from '../../../model/findings.ts';
import { INDEXABILITIES, PAGE_ROLES } from '../../../model/pages.ts';
import type { FindingView } from '../../contract/findings.ts';
import type { LinkView } from '../../contract/links.ts';
import { PAGE_COLUMNS, PAGE_PLACES, type PageView, STATUS_CLASSES } from '../../contract/pages.ts';
import { getCheck } from '../../routes/checks.ts';
import { getCauses, getFindings, getGroups, getPage, getPages } from '../../routes/findings.ts';
import { clip, readPlace, withLists, withRows } from '../budget.ts';
import { changedFindings, comparedOf, issueOf } from './audits.ts';
import { AuditId, CursorOf, DetailOf, READS, tool } from './tool.ts';

const PAGE = 100;

export const listFindings = tool({
  name: 'list_findings',
  title: 'List findings',
  description:
    'What an audit found. By check: one row an issue, worst first. By template, page or edit: where issues are, or what one edit fixes. none: each finding with its place. State compares with the audit before, one row a finding.',
  input: z.strictObject({
    audit_id: AuditId,
    group_by: z.enum(['check', 'template', 'page', 'edit', 'none']).default('check'),
    impact: z.enum([...IMPACTS, 'hint']).optional(),
    category: z.enum(CATEGORIES).optional(),
    check: z.string().max(200).optional(),
    page: z.string().max(4096).optional().describe('Its whole address'),
    template: z.string().max(1000).optional().describe('Such as /blog/*'),
    state: z.enum(['new', 'fixed', 'remaining']).optional(),
    detail: DetailOf,
    cursor: CursorOf,
  }),
  annotations: READS,
  run: async ({ audit_id, group_by, impact, category, check, page, template, state, detail, cursor }, ctx) => {
    const params = { jobId: audit_id };
    const place = readPlace(cursor);
    const narrow = 'Filter by impact, category, check, page or template.';
    const list = { place, detail, narrow };
    if (state !== undefined) {
      const { total, findings } = await changedFindings(ctx, audit_id, state);
      const rows = findings
        .filter(
          (each) =>
            (check === undefined || each.checkId === check) &&
            (category === undefined || each.category === category) &&
            (page === undefined || each.url === page) &&
            (impact === undefined || (each.optional ? 'hint' : each.impact) === impact),
        )
        .map(comparedOf);
      return withRows({ total, listed: findings.length }, { ...list, name: 'findings', rows, next: null });
    }
    if (group_by === 'none' || (group_by === 'check' && check !== undefined)) {
      const query = { impact, category, check, page, template, limit: PAGE, cursor: place.cursor };
      const { data, cursor: next } = await ctx.call(getFindings, { params, query });
      const rows = data.findings.map((finding) => findingOf(finding as FindingView));
      return withRows({ total: data.total }, { ...list, name: 'findings', rows, next });
    }
    if (group_by === 'check') {
      const { data } = await ctx.call(getCauses, { params, query: { impact, category, page, template } });
      const rows = data.causes.map((cause) => ({ ...issueOf(cause), first_page: clip(cause.first.url, 200) }));
      return withRows({ total: rows.length, findings: data.findings }, { ...list, name: 'issues', rows, next: null });
    }
    const by = group_by === 'edit' ? 'root' : group_by;
    const query = { by, impact, category, limit: PAGE, cursor: place.cursor };
    const { data, cursor: next } = await ctx.call(getGroups, { params, query });
    const rows = data.groups.map(({ value, ...group }) =>
      by === 'root' ? { ...group, untrusted: { edit: clip(value, 200) } } : { [by]: clip(value, 200), ...group },
    );
    return withRows({ total: data.total }, { ...list, name: 'groups', rows, next });
  },
});

const DEFAULT_COLUMNS = ['url', 'status', 'indexability', 'role', 'inlinks', 'findings', 'title'] as const;
/** Written by the site, and no address. */
const OF_THE_SITE: ReadonlySet<string> = new Set<keyof PageView>([
  'title',
  'description',
  'h1',
  'contentType',
  'lang',
  'dataTypes',
  'problem',
]);

export const queryPages = tool({
  name: 'query_pages',
  title: 'Query pages',
  description:
    'A table of the pages that an audit read: filtered, sorted, with the columns you name. Null means unknown: do not guess.',
  input: z.strictObject({
    audit_id: AuditId,
    where: z
      .strictObject({
        show: z.enum(['findings', 'problems', 'closed']).optional(),
        status: z.enum(STATUS_CLASSES).optional(),
        indexability: z.enum(INDEXABILITIES).optional(),
        role: z.enum(PAGE_ROLES).optional(),
        depth: z.string().max(4).optional().describe('Clicks from the home page, or none'),
        type: z.enum(['html', 'other']).optional(),
        missing: z.enum(['title', 'description', 'h1']).optional(),
        template: z.string().max(1000).optional(),
        folder: z.string().max(2048).optional().describe('Such as /blog/'),
        place: z.enum(PAGE_PLACES).optional(),
        task: z.enum(['yes', 'no']).optional(),
        search: z.string().max(200).optional().describe('In address, title, description'),
      })
      .default({}),
    columns: z
      .array(z.enum(PAGE_COLUMNS as [string, ...string[]]))
      .max(PAGE_COLUMNS.length)
      .optional(),
    sort: z.string().max(40).optional().describe('A column'),
    order: z.enum(['asc', 'desc']).optional(),
    detail: DetailOf,
    cursor: CursorOf,
  }),
  annotations: READS,
  run: async ({ audit_id, where, columns = DEFAULT_COLUMNS, sort, order, detail, cursor }, { call }) => {
    const place = readPlace(cursor);
    const query = { ...where, columns: ['url', ...columns].join(','), sort, order, limit: PAGE, cursor: place.cursor };
    const { data, cursor: next } = await call(getPages, { params: { jobId: audit_id }, query });
    const rows = data.pages.map((page) => pageRow(page));
    const narrow = 'Filter with where, or name fewer columns.';
    return withRows({ total: data.total }, { name: 'pages', rows, place, next, detail, narrow });
  },
});

export const getPageTool = tool({
  name: 'get_page',
  title: 'Get a page',
  description:
    'One page of an audit: status and redirects, what search engines are told, its findings, and on request its links, headings, structured data, images or text.',
  input: z.strictObject({
    audit_id: AuditId,
    url: z.string().max(4096).optional().describe('Default: the home page'),
    include: z
      .array(z.enum(['links', 'headings', 'data', 'images', 'text']))
      .max(5)
      .default([]),
    detail: DetailOf,
  }),
  annotations: READS,
  run: async ({ audit_id, url, include, detail }, { call }) => {
    const params = { jobId: audit_id };
    const { page, record, noRecord, links } = (await call(getPage, { params, query: { url } })).data;
    const { data: found } = await call(getFindings, { params, query: { page: page.url, limit: PAGE } });
    const wants = (part: (typeof include)[number]): boolean => include.includes(part);
    const head = {
      ...pageRow(page, 80),
      findings_total: found.total,
      chain: record?.chain.slice(0, 5).map(({ url: at, status }) => ({ url: clip(at, 60), status })) ?? null,
      ...(noRecord === null ? {} : { no_record: noRecord }),
      ...(wants('links') && links ? { inbound_total: links.inbound.total, outbound_total: links.outbound.total } : {}),
      ...(wants('text') && record
        ? { untrusted_text: { untrusted: clip(record.markdown, detail === 'full' ? 5_000 : 500) } }
        : {}),
    };
    const untrusted = (rows: readonly object[] | undefined) => (rows ?? []).map((row) => ({ untrusted: row }));
    return withLists(
      head,
      {
        findings: found.findings.map((finding) => findingOf(finding as FindingView)),
        directives: untrusted(record?.directives.map(clipped)),
        canonicals: untrusted(record?.canonicals.map(clipped)),
        ...(wants('headings') ? { headings: untrusted(record?.headings.map(clipped)) } : {}),
        ...(wants('images') ? { images: untrusted(record?.images.map(clipped)) } : {}),
        ...(wants('data')
          ? {
              data: untrusted(
                record?.data.map(({ nodes, ...each }) => clipped({ ...each, nodes: JSON.stringify(nodes) }, 400)),
              ),
            }
          : {}),
        ...(wants('links')
          ? { inbound: links?.inbound.links.map(linkOf) ?? [], outbound: links?.outbound.links.map(linkOf) ?? [] }
          : {}),
      },
      { detail, narrow: 'Include less, or ask with detail: full.' },
    );
  },
});

export const explainCheck = tool({
  name: 'explain_check',
  title: 'Explain a check',
  description: 'What a check finds, how it measures and what limits it, what it costs and brings, and how to fix it.',
  input: z.strictObject({ check: z.string().min(1).max(200).describe('Such as title-missing') }),
  annotations: READS,
  run: async ({ check }, { call }) => (await call(getCheck, { params: { checkId: check } })).data,
});

/** `most`: tokens of a text. */
function pageRow(page: object, most = 150): object {
  const own: Record<string, unknown> = {};
  const untrusted: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(page)) {
    const shown = typeof value === 'string' ? clip(value, most) : Array.isArray(value) ? clippedList(value) : value;
    (OF_THE_SITE.has(name) ? untrusted : own)[name] = shown;
  }
  return Object.keys(untrusted).length === 0 ? own : { ...own, untrusted };
}

export function findingOf(finding: FindingView): object {
  const { id, checkId, title, impact, optional, url, message, place, value, code, edit } = finding;
  return {
    finding_id: id,
    check: checkId,
    title,
    impact: optional ? 'optional' : impact,
    page: clip(url, 200),
    ...(edit ? { edit: `${edit.operation} ${edit.edits}` } : {}),
    untrusted: {
      message: clip(message),
      place: clip(place),
      value: clip(value),
      ...(code === null ? {} : { code: clip(code, 300) }),
      ...(edit ? { at: clip(edit.at), ...(edit.on === undefined ? {} : { on: clip(edit.on) }) } : {}),
    },
  };
}

const linkOf = ({ from, to, anchor, status, position, nofollow }: LinkView): object => ({
  from: clip(from),
  to: clip(to),
  status,
  position,
  nofollow,
  untrusted: { anchor: clip(anchor, 60) },
});

const clippedList = (list: readonly unknown[]): unknown[] =>
  list.slice(0, 10).map((each) => (typeof each === 'string' ? clip(each, 60) : each));

const clipped = (row: object, most = 100): object =>
  Object.fromEntries(
    Object.entries(row).map(([name, value]) => [
      name,
      typeof value === 'string' ? clip(value, most) : Array.isArray(value) ? clippedList(value) : value,
    ]),
  );
