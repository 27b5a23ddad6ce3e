/**
 * Whether a site can be judged by what a crawl read of it. Pure. A site that refuses this crawler, or that it cannot
 * read, may be excellent: it gets no score. One that shuts out every crawler is judged by that.
 */
import type { NotJudgedReason } from '../model/scores.ts';
import { preparingDeclared } from './checks/lookups/declared.ts';
import { isNotForSearch } from './checks/lookups/roles.ts';
import { isShutToAll } from './checks/lookups/shutSite.ts';
import { preparing } from './checks/lookups/siteIndex.ts';
import { isTurnedAway } from './crawl/outcome.ts';
import { isAllowed } from './crawl/robots/robots.ts';
import { rulesOf } from './crawl/robots/robotsFile.ts';
import type { Crawl, CrawledPage } from './crawl/site.ts';
import { isFilledByScript } from './facts/appShell.ts';
import { atOnce, type Pausable } from './timeSlices.ts';

/** `unread`: nothing was read and nothing explains it here: the site does not answer, or not with a page. */
export type Standing =
  | { readonly kind: 'judged' | 'shut' | 'unread' }
  | { readonly kind: 'not_judged'; readonly reason: NotJudgedReason };

const known = new WeakMap<Crawl, Standing>();

/** Computed once per crawl; pauses between pages, and while it looks up what the site says of them. */
export function* standing(crawl: Crawl): Pausable<Standing> {
  const found = known.get(crawl) ?? (yield* newStanding(crawl));
  known.set(crawl, found);
  return found;
}

/** Without pausing. */
export const standingOf = (crawl: Crawl): Standing => atOnce(standing(crawl));

function* newStanding(crawl: Crawl): Pausable<Standing> {
  const start = crawl.pages.find(({ from }) => from === 'start') ?? crawl.pages[0];
  const read = crawl.pages.filter(({ facts }) => facts !== null);
  if (start === undefined) return { kind: read.length === 0 ? 'unread' : 'judged' };
  const refusal = whyUnread(start, crawl);
  if (refusal !== null) return { kind: 'not_judged', reason: refusal };
  if (read.length === 0) {
    if (start.robotsBlocked) yield* preparing(crawl);
    return { kind: isShut(crawl, start) ? 'shut' : 'unread' };
  }
  return (yield* mostlyUnread(crawl, start)) ?? { kind: 'judged' };
}

/** Why the site kept this crawler from a page that it shows others; null if it did not. */
function whyUnread(page: CrawledPage, { discovery }: Crawl): NotJudgedReason | null {
  if (page.facts !== null) return null;
  const { robots } = discovery;
  // Without a readable robots.txt nothing is fetched: its answer stands for that of the page.
  const outcome = robots.verdict === 'disallow_all' ? robots.outcome : page.outcome;
  if (isTurnedAway(outcome)) return outcome.challenged ? 'challenged' : 'refused';
  return page.robotsBlocked && robots.verdict === 'rules' && isOpenToOthers(page.url, robots) ? 'robots' : null;
}

function isOpenToOthers(url: string, robots: Crawl['discovery']['robots']): boolean {
  return ['Googlebot', '*'].some((agent) => isAllowed(rulesOf(robots), agent, url).allowed);
}

/** The submitted address is closed to everyone, as is the whole site. */
function isShut(crawl: Crawl, start: CrawledPage): boolean {
  return start.robotsBlocked && crawl.discovery.robots.verdict === 'rules' && isShutToAll(crawl);
}

/** Of the pages meant for search, most kept this crawler out, or are filled by scripts, as is the start page. */
function* mostlyUnread(crawl: Crawl, start: CrawledPage): Pausable<Standing | null> {
  yield* preparing(crawl);
  yield* preparingDeclared(crawl);
  const reasons = new Map<NotJudgedReason, number>();
  let [seen, shells] = [0, 0];
  for (const page of crawl.pages) {
    yield;
    const reason = whyUnread(page, crawl);
    if (page.facts === null && reason === null) continue;
    // A page that was not read is what its address says.
    if (isNotForSearch(reason === null ? page : { ...page, robotsBlocked: true }, crawl)) continue;
    seen += 1;
    if (reason !== null) reasons.set(reason, (reasons.get(reason) ?? 0) + 1);
    else if (isShell(page)) shells += 1;
  }
  if (isShell(start) && shells > seen / 2) return { kind: 'not_judged', reason: 'needs_browser' };
  const [most] = [...reasons].sort(([, one], [, other]) => other - one);
  const refused = [...reasons.values()].reduce((sum, count) => sum + count, 0);
  return most !== undefined && refused > seen / 2 ? { kind: 'not_judged', reason: most[0] } : null;
}

const isShell = ({ facts }: CrawledPage): boolean => facts !== null && isFilledByScript(facts);
