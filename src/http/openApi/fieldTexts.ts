/**
 * What the fields of the API mean, for the OpenAPI document alone: the contract is bundled into the web app, which
 * needs no such texts. A test holds each entry to a field that exists.
 */
import { PREVIEW_ACTIONS } from '../contract/actions.ts';
import { REPORT_WAIT_MAX } from '../contract/admin/reports.ts';
import { COMPARED_MAX } from '../contract/runs.ts';

type Texts = Readonly<Record<string, string>>;

const UTC = 'UTC, ISO 8601';

/** The same parameters of several queries. */
const ofEach = (schemas: readonly string[], texts: Texts): Texts =>
  Object.fromEntries(
    schemas.flatMap((schema) => Object.entries(texts).map(([name, text]) => [`${schema}.${name}`, text] as const)),
  );

/** Query and path parameters: by `Schema.name`, otherwise by name. */
export const PARAMETER_TEXTS: Texts = {
  limit: 'How many rows at most.',
  cursor: 'The `cursor` of the previous answer, with the same filters and order; without it, the first page.',
  jobId: 'An audit, by its `id` in the list of jobs.',
  token: 'The token at the end of the address in the email or of the shared link.',
  category: 'Only this category.',
  impact: 'Only issues of this impact; `hint`: those that cost no score points.',
  page: 'An address as the list of pages has it: only what was found there.',
  cause: 'Only findings of this issue, by its `checkId`: those of other checks that depend on it too.',
  check: 'Only findings of this check, by its `checkId`.',
  template: 'The pattern of addresses, such as `/blog/*`: only what was found on pages of this template.',
  root: 'Only issues that one edit of this fixes, in part or whole: a `value` of the groups by root cause.',
  'CausesQuery.search': 'In the titles of issues.',
  'FindingsQuery.search': 'In the titles of issues.',
  'GroupsQuery.by': 'Default `template`. `root`: by what one edit fixes.',
  'GroupsQuery.search': 'In the `value` of groups.',
  'GroupsQuery.limit': 'How many groups at most, 1 to 500. Default: 100.',
  columns: 'Comma-separated names of the fields to return. Default: all.',
  domain: 'Host of the site: its newest audit, or with `timestamp` exactly that one.',
  timestamp: 'With `domain`: the `analysis_timestamp` of the audit.',
  order: '`asc` or `desc`.',
  search: 'Only rows that contain this text.',
  'JobsQuery.limit':
    'How many finished audits at most, 1 to 500. Default: 100. Those that are not finished are always listed, on the first page.',
  'AnalysesQuery.limit': 'How many at most, 1 to 200. Default: 100.',
  'AnalysesQuery.jobId': 'Only this audit.',
  'FindingsQuery.limit': 'How many findings at most, 1 to 500. Default: 100.',
  'PagesQuery.limit': 'How many pages of the site at most, 1 to 500. Default: 100.',
  'SharesQuery.limit': 'How many links at most, 1 to 500. Default: 100.',
  'ActivityQuery.limit': 'How many at most, 1 to 500. Default: 20.',
  'SubscriptionHistoryQuery.limit': 'How many rows at most, 1 to 100. Default: 10.',
  'DeliveriesQuery.limit': 'How many messages at most, 1 to 100. Default: 20.',
  'CausesQuery.sort':
    'Default `impact`: by rank, what to fix first comes first, what is optional last. `minutes`: quickest first.',
  'FindingsQuery.sort':
    'By issue. Default `impact`: by rank, what to fix first comes first, what is optional last. `minutes`: quickest first.',
  ...ofEach(['PagesQuery', 'PagesFileQuery'], {
    show: 'Default `all`. `content`: the pages that the score counts; `findings`: pages with any; `high`: of high impact; `problems`: no response, or an error; `closed`: search engines may not show them.',
    sort: 'Default `findings`: pages with high-impact findings first.',
    status: 'Class of the answer’s status; `none`: no answer.',
    indexability: 'Whether search engines may show the page, or why not.',
    role: 'What the page is for.',
    depth: 'Clicks from the home page; `none`: no link leads there.',
    place:
      '`orphan`: no other page links to it. `dead_end`: no link on it leads to another address of the site. `deep`: more than three clicks from the home page.',
    type: 'HTML pages, or everything else.',
    missing: 'HTML pages without this.',
    template: 'The pattern of the page’s address, such as `/blog/*`.',
    task: 'Whether one of its findings is part of an action item.',
    folder: 'A path that begins and ends with `/`: only pages below it, and its index page; `/blog` is in `/blog/`.',
    search: 'In address, title, or description.',
    order: 'Default: `desc` for `findings`, otherwise `asc`. Unknown values always come last.',
  }),
  'PagesQuery.issues': '`yes`: with the issues of each listed page, and how many of their findings are on it.',
  'PagesFileQuery.columns': 'Comma-separated names of the columns, in their order. Default: all.',
  'PageQuery.url': 'The page’s address, as the list of pages has it. Default: the home page.',
  'LinksQuery.limit': 'How many links at most, 1 to 500. Default: 100.',
  'LinksQuery.from': 'A page’s address: only links on it.',
  'LinksQuery.to': 'An address as linked, or that of the page where links lead.',
  'LinksQuery.position': 'Where on the page links stand.',
  'LinksQuery.status': 'Class of the status that the linked address answers; `none`: not asked for, or no answer.',
  'LinksQuery.external': 'Links to other sites, or within the site.',
  'LinksQuery.nofollow': 'Links with or without `nofollow`.',
  'LinksQuery.search': 'In either address, or in the anchor.',
  'LinksQuery.sort': 'Default: in the order of pages and of their documents. Links without a value come last.',
  'ExportQuery.format': 'Default `json`.',
  'ActionsQuery.jobId': 'The audit. Without it and without `domain`: your newest with action items.',
  'ActionQuery.jobId':
    'The audit of the item: item ids are check ids, so other audits have the same ones. Without it: the newest audit with such an item.',
  'FixQuery.limit': 'How many findings at most, 1 to 500. Default: 100.',
  'FixQuery.jobId':
    'The audit of the item: item ids are check ids, so other audits have the same ones. Without it: the newest audit with such an item.',
  'CompareQuery.with': 'The audit to compare with. Default: the one before.',
  'EventsQuery.from':
    'A UTC day or time: events of then and later. A position: events after it; one beyond the end of the log is refused. Default: from the beginning.',
  'EventsQuery.to':
    'A UTC day or time: events before then. A position: events up to it. Default: what is there when the export begins.',
  'EventsQuery.types': 'Comma-separated names of types of events. Default: all.',
  'EventsQuery.resume':
    'Goes on with an export of the same key: the id from its header `Export-Id`, for 24 hours. Its range and types stay as they are.',
  'LiveFeedQuery.after': 'An `n`: only rows read after that one.',
  'EventsQuery.after': 'With `resume`: the last `position` that arrived.',
  'LedgerQuery.limit': 'How many rows at most, 1 to 500. Default: 100.',
  ...ofEach(['LedgerQuery', 'LedgerSumsQuery', 'LedgerExportQuery'], {
    kind: 'What the rows are. A row may be of several kinds: the start of a plan is a payment, an invoice, and a plan’s. `audits`: what was paid with credits or funds.',
    search:
      'With an @: the beginning of a user’s email, of 20 accounts at most. Otherwise exactly: a user’s id, an invoice number, a promotion code, an id of the payment provider (customer, payment, subscription, invoice, refund, dispute), or the id of a job, also of a deleted one.',
    currency: 'Only rows with money in this currency; one that no row has is refused.',
    from: 'First UTC day, included; one that is yet to come is refused. Default: from the beginning.',
    to: 'Last UTC day, included. Default: to the end.',
  }),
  'LedgerExportQuery.format': 'Default `ndjson`.',
  'ReportQuery.as_of': 'The log up to then: a UTC day (to its end), a UTC time or a position. Default: now.',
  'ReportQuery.from': 'First UTC day, included. Default: from the beginning.',
  'ReportQuery.to': 'Last UTC day, included. Default: to the end.',
  'ReportQuery.by': 'Length of the steps in time.',
  'ReportQuery.format': 'Default `json`; `csv` has one table.',
  'ReportQuery.table': 'For CSV: the table. Default: the first.',
  'ReportQuery.wait': `1 to ${REPORT_WAIT_MAX} seconds after which to answer with the progress so far; repeating the request continues from there. Without it, a report that takes too long is refused.`,
};

/** Fields of any schema, by name. Of any other name that ends in `_at` or `At`: the time. */
const FIELD_TEXTS: Texts = {
  cursor: 'For the next page; null: this was the last one.',
  position:
    'Place in the log of all changes, 20 digits: a larger one is newer. Subscribe to the channel with it as `since` to miss nothing.',
  hint: 'The same as `optional`, as earlier versions called it.',
  optional:
    'It costs no score points. An action item that is optional is no task, and counts nowhere, until you make it one.',
  wholeSite: 'Concerns the whole site, wherever it was found.',
  pending:
    'The work goes on in the background; the channel `reworks` says when it has ended. The other fields are empty until then.',
};

/** Fields that their name does not explain, by `Schema.field`, with further names for fields within. */
export const SCHEMA_TEXTS: Texts = {
  'JobView.folderPath': '`{host}/{timestamp}`: identifies the audit, not a path. Null until the report is available.',
  'JobView.progress': '0 to 100.',
  'JobView.pages_known': 'Pages found so far, up to `max_pages`.',
  'JobView.eta': 'Remaining seconds as a range; null if there is no reliable estimate.',
  'JobView.queue':
    'While queued: how many of your own audits start first, and roughly when it starts. Not in rows of the websocket.',
  'JobView.score': '0 to 100, to the tenth; shown as a whole number. Null until known, or if the site was not scored.',
  'JobView.score_formula': 'Version of the score’s formula: scores of two versions cannot be compared.',
  'JobView.not_judged':
    'Why there is no score: `refused` or `challenged` by the site, shut out by name or as a stranger (`robots`), or filled by scripts without a browser to run them (`needs_browser`).',
  'JobView.shut': 'robots.txt forbids every crawler to read the site.',
  'JobView.given_back':
    'Whether an audit of a shut site, or without a score, was given back; null until known, and for all others.',
  'JobView.findings': 'Number of findings; null until known.',
  'JobView.files': 'Names for `/jobs/{jobId}/files/{fileName}`.',
  'JobView.analyst': 'Who wrote the texts.',
  'JobView.access': `\`preview\`: only the first ${PREVIEW_ACTIONS} action items and what they fix.`,
  'JobView.reason': 'Why it failed, or what its result does not cover, for people; `reason_code` is for programs.',
  'JobStage.status': 'The status that the job has during this step.',
  'ProcessRequest.url': 'Address of the site; without a scheme, https is assumed.',
  'JobView.settings': 'What was set for the crawl: submit it as `options` to do the same again. Null: nothing.',
  'ProcessRequest.maxPages':
    'Fetch at most this many pages; more than the installation allows (`limits.max_pages` of `/status`) is refused.',
  'ProcessRequest.folder': 'Read only pages below this path, such as `/blog/`, besides the home page.',
  'ProcessRequest.include':
    'Read only pages whose path and query match one of these patterns, besides the home page; `*` matches anything, `$` the end, as in robots.txt.',
  'ProcessRequest.exclude': 'Read no pages whose path and query match one of these patterns.',
  'ProcessRequest.sitemapOnly': 'Read only the home page and the pages that the sitemaps list; follow no links.',
  'BatchRequest.urls':
    '1 to 100 addresses. All or nothing: if your audits do not cover every site, nothing is submitted.',
  'JobsResponse.data.active': 'Not finished; all of them.',
  'CauseView.impact': 'That of its worst finding.',
  'CauseView.points': 'Score points that it costs.',
  'CauseView.pages': 'Number of distinct pages.',
  'CauseView.omitted': 'Findings that are not listed, because there are too many of the same kind.',
  'CauseView.first': 'The first place where it was found.',
  'CauseView.minutes': 'Minutes that fixing it takes.',
  'GroupView.value':
    'An address, a pattern of addresses, or what one edit fixes: the value of `page`, `template`, or `root` in lists of issues.',
  'GroupView.findings': 'Null by root cause.',
  'GroupView.impact': 'That of its worst issue; `hint` if they cost no points.',
  'FindingsResponse.data.findings.id':
    'The same in every audit in which this check finds the same place of the same page.',
  'FindingsResponse.data.findings.place': 'Where on the page: a CSS selector or the name of a header, for instance.',
  'FindingsResponse.data.findings.value': 'What was found there.',
  'FindingsResponse.data.findings.code': 'The fix, with the site’s own texts.',
  'FindingsResponse.data.findings.edit':
    'How the code is applied; null without code, and in audits of earlier versions.',
  'FindingsResponse.data.findings.edit.edits': '`server`: how an address is answered, such as a redirect.',
  'FindingsResponse.data.findings.edit.at':
    'Selector of the element, name of the header, path of the file, lines of robots.txt, the sitemap, or the address that is answered.',
  'FindingsResponse.data.findings.edit.on': 'The page that is changed, if not that of the finding.',
  'CheckView.optional': 'It costs no score points.',
  'CheckView.minutes': 'To fix it in one place.',
  'CheckView.scope': 'What it is run on: each HTML page, each answer whatever it holds, or the whole site at once.',
  'CheckView.looksIn': 'Of a check that says that the site has none: each place where it looks for one.',
  'CheckView.judgesParts': 'False: it cannot fail where an audit read only a part of the site.',
  'CheckView.lighthouse': 'The Lighthouse audit with the same verdict; null: there is none.',
  'FixResponse.data.check': 'Null if this version does not have the check.',
  'FixResponse.data.acceptance': 'When it counts as fixed, and what proves it.',
  'CauseView.risk': 'What happens while it is not fixed.',
  'CauseView.gain': 'What fixing it brings.',
  'CauseView.steps': 'What to do, in order.',
  'CauseView.example': 'For any site; values that only the owner knows read `YOUR …`.',
  'ScoreView.deductions.base': 'Denominator of `failed`, if larger than `looked`.',
  'CausesResponse.data.preview': 'Findings that a preview shows, and the total; null with full access.',
  'FindingsResponse.data.preview': 'Findings that a preview shows, and the total; null with full access.',
  'PagesResponse.data.pages.status': 'HTTP status; null if there was no response.',
  'PagesResponse.data.pages.indexable': 'Whether search engines may show it; null if it is not HTML.',
  'PagesResponse.data.pages.firstByteMs': 'Milliseconds until the first byte.',
  'PagesResponse.data.pages.role': 'What the page is for. Like the fields below: null in audits of earlier versions.',
  'PagesResponse.data.pages.inlinks': 'Other pages that link to it; null for an address that redirects.',
  'PagesResponse.data.pages.outlinks': 'Links to other addresses of the site.',
  'PagesResponse.data.pages.externalLinks': 'Links to other sites.',
  'PagesResponse.data.pages.pageRank': 'Millionths of all visits, if people followed links at random.',
  'PagesResponse.data.facets': 'For each filter, pages by value, given the other filters; at most 50 values.',
  'PageResponse.data.noRecord':
    'Why there is no record; null if there is one. `earlier_version`: the audit did not keep them yet. `removed`: newer audits of the site have theirs. `too_large`: of a very large audit, the first ones are kept. `preview`: a preview shows none of its findings.',
  'LiveFeedResponse.data.from':
    'The `n` of the crawl’s first row; an interrupted crawl begins again. Null if nothing is being read.',
  'LiveFeedResponse.data.rows':
    'At most the 200 addresses read last, newest first, without secrets; longer addresses are cut and end with `…`.',
  'LiveFeedResponse.data.rows.n': 'Orders the rows by the time they were read.',
  'LiveFeedResponse.data.rows.status': 'Null without an answer.',
  'LiveFeedResponse.data.rows.ms': 'Milliseconds until all of the answer was there.',
  'LiveFeedResponse.data.rows.words': 'Null if it is no page.',
  'LiveFeedResponse.data.rows.saw': 'What this answer alone shows: no issues, which are found once all pages are read.',
  'LiveFeedResponse.data.rows.failure': 'Why there was no answer.',
  'LiveFeedResponse.data.counts': 'Addresses of the whole crawl, and those with each observation.',
  'PageResponse.data.links': 'The first links in each direction, and how many there are; null without a record.',
  'PageRecordView.markdown': 'The main content, at most 20 KB. Text of the site, not of this product.',
  'PageRecordView.leftOut': 'Entries of longer lists that were not kept.',
  'LinkView.to': 'As linked, before redirects.',
  'LinkView.page': 'The audited page that it leads to, after redirects; null if it is none.',
  'LinkView.template': 'The same anchor and target are on most pages.',
  'LinksResponse.data.found': 'All links of the site; of a very large one, only the first `kept` are kept.',
  'LinksResponse.data.noRecord': 'Why there are none to list; null if they are kept.',
  'StructureResponse.data.folders': 'Each after the folder that it is in; the largest 2,000.',
  'StructureResponse.data.moreFolders':
    'Small folders that are not listed: their pages count for the folders that they are in.',
  'StructureResponse.data.everywhere':
    'Issues that at least nine of ten pages have, by rank. `apart` leaves out what is found because of them.',
  'StructureResponse.data.graph': 'The 1,000 pages with the highest PageRank, and the links between them.',
  'StructureResponse.data.graph.edges':
    'Links from one page to another, by place in `pages`: each pair of pages once, in lists of equal length; at most 20,000.',
  'StructureResponse.data.graph.edges.own':
    'Whether one of the links is more than what a template repeats on most pages.',
  'StructureResponse.data.graph.edges.followed': 'Whether one of the links is without `nofollow`.',
  'StructureResponse.data.graph.preview': 'Only links on the pages of findings that a preview shows.',
  'StructureResponse.data.graph.noRecord': 'Why there are no links; null if they are kept.',
  'StructureResponse.data.places': 'Pages that are hard to reach or lead nowhere, with the first five of each.',
  'FolderView.path': 'Begins and ends with `/`, on whichever host.',
  'FolderView.pages': 'All pages below it, those of its own folders included.',
  'FolderView.withFindings': 'Pages with findings.',
  'FolderView.withHighImpact': 'Pages with findings of high impact.',
  'FolderView.findings': 'Sum of its pages.',
  'FolderView.apart': 'The same without the issues in `everywhere`.',
  'FolderView.shallowest': 'The fewest clicks from the home page to one of its pages; null if no link leads to any.',
  'FolderView.deepest': 'The most clicks.',
  'FolderView.pageRank': 'Sum of its pages, in millionths of all visits; null in audits of earlier versions.',
  'FolderView.inlinks': 'Sum of its pages; null in audits of earlier versions.',
  'LinkedPage.folder': 'Place of its folder in `folders`.',
  'LinkedPage.apart': 'Findings without the issues in `everywhere`.',
  'LinkedPage.pageRank': 'Millionths of all visits, if people followed links at random.',
  'ActionView.id': 'The id of its check: the same in every audit.',
  'ActionView.time_estimate': 'Minutes.',
  'ActionView.effectiveness_rating': '1 to 5.',
  'ActionView.previous_status': 'What undoing its last move would restore; null: nothing to undo.',
  'ActionsResponse.isFreemiumPreview': `Only the first ${PREVIEW_ACTIONS} items are shown.`,
  'ActionStats.estimatedTimeRemaining': 'Minutes, for the items that are not completed.',
  'ProgressRequest.status': 'Fields that are absent stay as they are.',
  'ProgressRequest.notes': 'Null clears them.',
  'ProgressRequest.effectiveness_rating': '1 to 5; null clears it.',
  'ProgressRequest.jobId': 'The audit of the item. Without it: the newest audit with such an item.',
  'VerificationView.outcome':
    '`fixed`: everything was checked and is gone. `not_checked`: nothing was found again, but not everything could be checked.',
  'VerifyResponse.verification': 'Null while pending.',
  'RunView.comparable': 'With the requested audit: the same checks on the same pages.',
  'CompareResponse.data.before': 'The earlier of the two, in whichever order they were requested.',
  'CompareResponse.data.notIdentical':
    'Why the two are not the same in pages, answers and findings, as the end of a sentence; null if they are.',
  'CompareResponse.data.new': `\`total\` counts all; at most ${COMPARED_MAX} are listed, of a preview those that it shows.`,
  'CreateShareRequest.title': 'Default: names the site if `job_metadata` is shared.',
  'CreateShareRequest.sharedContent': 'Which parts it shows. Default: all.',
  'CreateShareRequest.shareMode': 'Default: `full` with full access, otherwise `preview`.',
  'CreateShareRequest.expiresIn': 'Hours from now; 0 or null: never.',
  'ShareItem.is_active': 'Not revoked; whether it has expired is in `expires_at`.',
  'ShareItem.shareUrl':
    'Null if the link has ended. Also null if it was created under another secret of the installation: it works, but cannot be shown again.',
  'AllowanceResponse.data.pays_next': 'What pays for the next audit; null: nothing is left.',
  'AllowanceResponse.data.left': 'How many audits that still pays for; null: they are not counted.',
  'BalanceView.funds': 'In the smallest unit of `currency` (cents); negative after a refund of money already spent.',
  'BalanceView.credits': 'Granted audits.',
  'BalanceView.paysNext': 'What pays for the next audit; null: nothing is left.',
  'Transaction.amount':
    'In the smallest unit of `currency` (cents), or credits where there is no currency. Negative: outgoing.',
  'Transaction.balance_after': 'Funds or credits afterward; null if neither changed.',
  'SubscriptionView.graceEndsAt': `While a payment is due: everything stays available until then. ${UTC}.`,
  'ReworkView.ask': 'How often it was requested; the other fields describe the latest request.',
  'ReworkView.code': 'Why it failed, for programs; `error` is for people.',
  'AnalysisView.analysis_timestamp': 'The value of `timestamp` in the query of `/actions`.',
  'ApiKeyView.hint': 'The last characters of the key.',
  'ApiKeyView.assistant_calls':
    'What assistants did with the key in the last 90 days, by tool, the last first. Absent from answers that are not a list of keys.',
  'ApiKeyView.last_used_at': `Rounded to the hour; null: never. ${UTC}.`,
  'CreateApiKeyRequest.expires_in_days': 'Null or absent: never.',
  'CreateApiKeyResponse.key': 'Shown only here.',
  'WebhookView.disabled_reason': '`failing`: after a day of failed attempts.',
  'AddWebhookResponse.secret': 'Signs every message; shown only here.',
  'RotateWebhookSecretRequest.former':
    '`a_day`: messages are signed with the former secret, too, for 24 hours; `stop`: not any more.',
  'WebhookDeliveryView.id': 'The same for every attempt, so that you can tell repeats.',
  'ReportTableView.rows':
    'Money is an integer in the smallest unit of the row’s `currency` (cents); a cost is in millionths of a US dollar.',
};

export const parameterText = (schema: string | undefined, name: string): string | undefined =>
  PARAMETER_TEXTS[`${schema}.${name}`] ?? PARAMETER_TEXTS[name];

type Json = { readonly [key: string]: unknown };

/** The JSON schema with its texts. `at`: the schema's name, then the fields on the way. */
export function withTexts(schema: Json, at: string): Json {
  const { properties, items, anyOf } = schema as { properties?: Record<string, Json>; items?: Json; anyOf?: Json[] };
  return {
    ...schema,
    ...(properties
      ? {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, field]) => [name, described(field, at, name)]),
          ),
        }
      : {}),
    ...(items ? { items: withTexts(items, at) } : {}),
    ...(anyOf ? { anyOf: anyOf.map((each) => withTexts(each, at)) } : {}),
  };
}

function described(field: Json, at: string, name: string): Json {
  const text =
    SCHEMA_TEXTS[`${at}.${name}`] ?? FIELD_TEXTS[name] ?? (/(?:_at|[a-z]At)$/.test(name) ? `${UTC}.` : undefined);
  return { ...withTexts(field, `${at}.${name}`), ...(text === undefined ? {} : { description: text }) };
}
