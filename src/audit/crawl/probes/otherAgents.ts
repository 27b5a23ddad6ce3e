/**
 * The last requests of an audit: one page each of the largest templates, the start page among them, once more as a
 * phone and as Googlebot, each with our own name in it. Google lists what phones get.
 */
import { directiveWords } from '../../checks/lookups/directiveWords.ts';
import { clustering, type Template } from '../../checks/lookups/templates.ts';
import { weightOf } from '../../memory.ts';
import { inSlices, type Pausable } from '../../timeSlices.ts';
import { readContent } from '../content.ts';
import type { CrawlEnv } from '../crawlEnv.ts';
import { isTurnedAway, outcomeOf } from '../outcome.ts';
import { robotsPermission } from '../robots/robotsFile.ts';
import type { AgentAnswer, CrawledPage } from '../site.ts';
import type { FileCheckScope } from './fileChecks.ts';

/** Pages asked for, each at most once as every agent. */
const MAX_PAGES = 3;
/** Pages of a template of which robots.txt is asked. */
const TRIES = 5;
const MAX_BYTES = 5 * 1024 * 1024;
const REQUEST_MS = 8000;

/**
 * Stable since 2026-11-17: the newest version of `and_chr` with a date in the npm package caniuse-lite
 * (`dist/unpacker/agents.js`).
 */
const CHROME = 158;
const PHONE = `Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${CHROME}.0.0.0 Mobile Safari/537.36`;
const GOOGLEBOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';

/** Phones first: a server may turn away whoever calls itself Googlebot. */
const AGENTS: readonly (readonly [AgentAnswer['agent'], string])[] = [
  ['phone', PHONE],
  ['googlebot', GOOGLEBOT],
];

/**
 * In the order of asking; empty if it is not wanted, or if robots.txt forbids these pages to us or to Googlebot. Ends
 * with the first request that is turned away: what such requests provoke is not asked for again.
 */
export async function askAsOthers(scope: FileCheckScope, env: CrawlEnv): Promise<readonly AgentAnswer[]> {
  const { options, endsAt, crawlDelayMs } = scope;
  if (options.askAsOthers !== true) return [];
  let { bytesLeft, roomLeft } = scope;
  const isOver = (): boolean => env.signal?.aborted === true || env.now() >= endsAt || bytesLeft <= 0 || roomLeft <= 0;
  const pages = (await inSlices(choose(scope, env), env, isOver)) ?? [];
  const answers: AgentAnswer[] = [];
  for (const [agent, name] of AGENTS)
    for (const page of pages) {
      if (crawlDelayMs > 0) await env.sleep(crawlDelayMs, env.signal);
      if (isOver()) return answers;
      const result = await env.fetch(page.url, {
        headers: { 'user-agent': `${name} ${env.userAgent}` },
        maxBytes: Math.min(options.pageBytes ?? MAX_BYTES, bytesLeft),
        cut: true,
        timeoutMs: Math.max(1, Math.min(REQUEST_MS, endsAt - env.now())),
        ...(env.signal ? { signal: env.signal } : {}),
      });
      if (!result.ok) return answers;
      const outcome = outcomeOf(result);
      const content = await readContent(result.url, result, env.parse, async (facts) => ({
        facts,
        note: null,
        movedTo: null,
        bytes: 0,
      }));
      const answer = { agent, page: page.url, outcome, facts: content.page?.facts ?? null };
      bytesLeft -= outcome.bytes;
      roomLeft -= weightOf(answer);
      if (roomLeft < 0) return answers;
      answers.push(answer);
      if (isTurnedAway(outcome)) return answers;
    }
  return answers;
}

/** The first page of each template that may be asked for. */
function* choose({ pages, discovery, options }: FileCheckScope, env: CrawlEnv): Pausable<readonly CrawledPage[]> {
  const permissions = [env.userAgent, 'Googlebot'].map((agent) => robotsPermission(discovery.robots, agent));
  const templates = yield* clustering({ pages });
  const firsts = new Map<Template, CrawledPage[]>();
  for (const page of pages) {
    yield;
    if (!isComparable(page) || options.only?.fetches(page, 'other-agents') === false) continue;
    const template = templates.get(page) as Template;
    const known = firsts.get(template);
    if (known === undefined) firsts.set(template, [page]);
    else if (known.length < TRIES) known.push(page);
  }
  const rank = ([template, [first]]: [Template, CrawledPage[]]): number =>
    first?.from === 'start' ? Number.POSITIVE_INFINITY : template.pages;
  const chosen: CrawledPage[] = [];
  // Templates of one size stay in the order in which they were found.
  for (const [, candidates] of [...firsts].sort((a, b) => (rank(a) === rank(b) ? 0 : rank(b) - rank(a)))) {
    yield;
    if (chosen.length === MAX_PAGES) break;
    const page = candidates.find(({ url }) => permissions.every((mayFetch) => mayFetch(url)));
    if (page !== undefined) chosen.push(page);
  }
  return chosen;
}

/** Answered as it was asked for, with a page that search engines may list. */
function isComparable({ facts, outcome }: CrawledPage): boolean {
  if (facts === null || outcome.status !== 200 || outcome.truncated) return false;
  const metas = [...facts.metas, ...(facts.bodyRobots ?? [])];
  const directives = [
    ...metas.filter(({ name }) => name === 'robots' || name === 'googlebot').map(({ content }) => content),
    ...(outcome.headers['x-robots-tag'] ?? []).map((line) => line.replace(/^\s*[\w-]+\s*:/, '')),
  ];
  return !directives.flatMap(directiveWords).some((word) => word === 'noindex' || word === 'none');
}
