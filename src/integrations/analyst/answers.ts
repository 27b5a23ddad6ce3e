/**
 * Turns a model's answer into texts: its words, our facts. Parts that refer to nothing known are dropped and counted;
 * omissions are filled in.
 */
import type * as z from 'zod';
import type { Finding } from '../../model/findings.ts';
import { compareImpact, compareIssues, compareKinds, findingsOf } from '../../model/issues/issues.ts';
import { actionOf, factsOf, followsText, titleOf, whereFound } from './actionItems.ts';
import {
  categoriesSection,
  joinSections,
  openingOf,
  prioritiesSection,
  quickWinsSection,
  TOP,
} from './analysisText.ts';
import type { AnalystAction, AnalystInput } from './analyst.ts';
import { type Ground, isAbout, isBacked } from './grounding.ts';
import type { AnalystIssue } from './issues.ts';
import { sentence } from './markdown.ts';
import { countsPagesRight, modelLine, modelTitle } from './modelText.ts';
import { type AnalysisShape, BOUNDS, type ItemsShape, type SummaryShape } from './questions.ts';
import { joinSummary, pointsSection, topActions } from './summaryText.ts';

const PROBLEM_LENGTH = 900;
const SOLUTION_LENGTH = 1500;
const TEXT_LENGTH = 700;
const PARAGRAPH_LENGTH = 1500;

/** `dropped` is the number of unused parts of the answer. */
export type Used<T> = { readonly value: T; readonly dropped: number };

/** Finding id → its issue. */
function issuesById(issues: readonly AnalystIssue[]): ReadonlyMap<string, AnalystIssue> {
  return new Map(issues.flatMap((issue) => findingsOf(issue).map((finding) => [finding.id, issue] as const)));
}

function groundOf(issues: readonly AnalystIssue[], { url }: AnalystInput): Ground {
  return {
    siteUrl: url,
    checks: issues.flatMap((issue) => [issue.check, ...issue.joined.map((other) => other.check)]),
    findings: issues.flatMap(findingsOf),
  };
}

/** Text backed by what it refers to, ready to show; '' otherwise. */
function wordsOf(text: string, ground: Ground, max: number): string {
  return isBacked(text, ground) && isAbout(text, ground) ? modelLine(text, ground.siteUrl, max) : '';
}

/**
 * The distinct, unclaimed issues that the ids refer to, limited in number and all of the same category, impact and
 * kind.
 */
function claim(
  ids: readonly string[],
  known: ReadonlyMap<string, AnalystIssue>,
  taken: ReadonlySet<AnalystIssue>,
): readonly AnalystIssue[] {
  const claimed: AnalystIssue[] = [];
  for (const id of ids) {
    const issue = known.get(id);
    if (!issue || taken.has(issue) || claimed.includes(issue)) continue;
    const [lead] = claimed;
    const fits =
      !lead ||
      (lead.category === issue.category &&
        lead.impact === issue.impact &&
        lead.hint === issue.hint &&
        lead.cap === issue.cap);
    if (fits && claimed.length < BOUNDS.seo_actions.max_merged) claimed.push(issue);
  }
  return claimed;
}

type Item = z.infer<typeof ItemsShape>['items'][number];

/** Null if none of its text can be used. */
function itemOf(
  issues: readonly [AnalystIssue, ...AnalystIssue[]],
  item: Item,
  input: AnalystInput,
): Used<AnalystAction> | null {
  const [lead] = issues;
  const ground = groundOf(issues, input);
  if (!isAbout(`${item.title} ${item.problem} ${item.solution}`, ground)) return null;
  const own = actionOf(lead);
  const pages = new Set(issues.flatMap((issue) => issue.pages)).size;
  const line = (text: string, max: number): string =>
    isBacked(text, ground) && countsPagesRight(text, pages) ? modelLine(text, ground.siteUrl, max) : '';
  const title = isBacked(item.title, ground) ? modelTitle(item.title, pages) : null;
  const problem = line(item.problem, PROBLEM_LENGTH);
  const solution = line(item.solution, SOLUTION_LENGTH);
  const dropped = [title ?? '', problem, solution].filter((text) => text === '').length;
  if (dropped === 3) return null;
  const found = issues.map(whereFound).join(' ');
  const value = {
    ...factsOf(issues),
    title: title ?? titleOf(lead),
    problem: problem === '' ? own.problem : `${sentence(problem)} ${found}`,
    solution:
      solution === ''
        ? own.solution
        : [sentence(solution), followsText(issues)].filter((text) => text !== '').join(' '),
  };
  return { value, dropped };
}

type Placed = { readonly action: AnalystAction; readonly issue: AnalystIssue };

function placed(action: AnalystAction, [lead]: readonly [AnalystIssue, ...AnalystIssue[]]): Placed {
  return { action, issue: { ...lead, minutes: action.timeEstimate } };
}

/** In the one order of all lists; a model may only reorder items of the same impact and kind. */
function inOrder(items: readonly Placed[]): readonly AnalystAction[] {
  const kind = ({ issue }: Placed): string => `${issue.impact} ${issue.hint} ${issue.cap === null}`;
  const waiting = new Map<string, Placed[]>();
  for (const item of items) waiting.set(kind(item), [...(waiting.get(kind(item)) ?? []), item]);
  const slots = items.toSorted((a, b) => compareIssues(a.issue, b.issue));
  return slots.map((slot) => (waiting.get(kind(slot))?.shift() ?? slot).action);
}

/** Every issue becomes part of exactly one item. Null if nothing in the answer can be used. */
export function itemsFrom(
  answer: z.infer<typeof ItemsShape>,
  input: AnalystInput,
  issues: readonly AnalystIssue[],
): Used<readonly AnalystAction[]> | null {
  const known = issuesById(issues);
  const taken = new Set<AnalystIssue>();
  const items: Placed[] = [];
  let dropped = 0;
  for (const item of answer.items) {
    const [lead, ...others] = claim(item.findingIds, known, taken);
    const used = lead ? itemOf([lead, ...others], item, input) : null;
    if (!lead || !used) {
      dropped += 1;
      continue;
    }
    dropped += used.dropped;
    for (const issue of [lead, ...others]) taken.add(issue);
    items.push(placed(used.value, [lead, ...others]));
  }
  if (items.length === 0) return null;
  for (const issue of issues) if (!taken.has(issue)) items.push(placed(actionOf(issue), [issue]));
  return { value: inOrder(items), dropped };
}

/** Null if nothing in the answer can be used. */
export function analysisFrom(
  answer: z.infer<typeof AnalysisShape>,
  input: AnalystInput,
  issues: readonly AnalystIssue[],
): Used<string> | null {
  const known = issuesById(issues);
  const { max_paragraphs: maxParagraphs } = BOUNDS.seo_analysis;
  const overview = answer.overview
    .map(({ findingIds, text }) => {
      const about = [...new Set(findingIds.flatMap((id) => known.get(id) ?? []))];
      return about.length === 0 ? '' : wordsOf(text, groundOf(about, input), PARAGRAPH_LENGTH);
    })
    .filter((text) => text !== '')
    .slice(0, maxParagraphs);
  const texts = new Map<AnalystIssue, string>();
  for (const { findingIds, text } of answer.priorities) {
    const [issue] = claim(findingIds.slice(0, 1), known, new Set(texts.keys()));
    const words =
      issue && countsPagesRight(text, issue.pages.length) ? wordsOf(text, groundOf([issue], input), TEXT_LENGTH) : '';
    if (issue && words !== '') texts.set(issue, sentence(words));
  }
  if (overview.length === 0 && texts.size === 0) return null;
  // Higher impact always comes first; within the same impact, the model's choices come first, in its order.
  const chosen = [...texts.keys()];
  const shown = issues
    .map((issue, index) => ({ issue, turn: texts.has(issue) ? chosen.indexOf(issue) : chosen.length + index }))
    .sort((a, b) => compareKinds(a.issue, b.issue) || compareImpact(a.issue.impact, b.issue.impact) || a.turn - b.turn)
    .slice(0, TOP)
    .map(({ issue }) => issue);
  const value = joinSections([
    openingOf(input, issues),
    overview.join('\n\n'),
    prioritiesSection(issues, shown, (issue) => texts.get(issue)),
    categoriesSection(issues),
    quickWinsSection(issues, shown),
  ]);
  return { value, dropped: answer.overview.length + answer.priorities.length - overview.length - texts.size };
}

/** What texts about actions may be based on: the findings they resolve. */
function groundOfActions(actions: readonly AnalystAction[], input: AnalystInput): Ground {
  const ids = new Set(actions.flatMap((action) => action.findingIds));
  const findings: readonly Finding[] = input.findings.filter((finding) => ids.has(finding.id));
  const checks = new Set(findings.map((finding) => finding.checkId));
  return { siteUrl: input.url, checks: input.checks.filter((check) => checks.has(check.id)), findings };
}

/** Null if nothing in the answer can be used. */
export function summaryFrom(
  answer: z.infer<typeof SummaryShape>,
  input: AnalystInput,
  actions: readonly AnalystAction[],
): Used<string> | null {
  const top = topActions(actions);
  const spokenOf = actions.filter((action) => answer.opening.actionIds.includes(action.id));
  const opening =
    spokenOf.length === 0 ? '' : wordsOf(answer.opening.text, groundOfActions(spokenOf, input), PARAGRAPH_LENGTH);
  const texts = new Map<string, string>();
  for (const { actionId, text } of answer.points) {
    const action = top.find(({ id }) => id === actionId);
    const words =
      action && countsPagesRight(text, action.pages.length)
        ? wordsOf(text, groundOfActions([action], input), TEXT_LENGTH)
        : '';
    if (words !== '' && !texts.has(actionId)) texts.set(actionId, sentence(words));
  }
  if (opening === '' && texts.size === 0) return null;
  const value = joinSummary(input, actions, [opening, pointsSection(top, (action) => texts.get(action.id))]);
  return { value, dropped: 1 + answer.points.length - texts.size - Number(opening !== '') };
}
