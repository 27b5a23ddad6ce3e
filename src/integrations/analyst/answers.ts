/** From a model's answer to texts: its words, our facts. What points to nothing known is dropped; what it left out is added. */
import type { z } from 'zod';
import { actionOf, factsOf, titleOf, whereFound } from './actionItems.ts';
import { categoriesSection, coverageSection, joinSections, openingOf, priority, quickWinsSection } from './analysisText.ts';
import type { AnalystAction, AnalystInput } from './analyst.ts';
import { type Cause, compareImpact } from './causes.ts';
import { sentence } from './markdown.ts';
import { countsPagesRight, modelLine, modelParagraphs, modelTitle } from './modelText.ts';
import type { AnalysisShape, ItemsShape, SummaryShape } from './questions.ts';
import { goodNewsSection, headingOf, limitsSection, point, scoreOf, TOP_ACTIONS, timeSection } from './summaryText.ts';

const MAX_MERGED = 3;
const MAX_PRIORITIES = 5;
const PROBLEM_LENGTH = 900;
const SOLUTION_LENGTH = 1500;
const TEXT_LENGTH = 700;

/** Finding id → its cause. */
function causesById(causes: readonly Cause[]): ReadonlyMap<string, Cause> {
  return new Map(causes.flatMap((cause) => cause.findings.map((finding) => [finding.id, cause] as const)));
}

/** The distinct causes that the ids point to and that are still free; of one category and impact, and not too many. */
function claim(ids: readonly string[], known: ReadonlyMap<string, Cause>, taken: Set<Cause>): readonly Cause[] {
  const claimed: Cause[] = [];
  for (const id of ids) {
    const cause = known.get(id);
    if (!cause || taken.has(cause)) continue;
    const [lead] = claimed;
    if (lead && (lead.category !== cause.category || lead.impact !== cause.impact || lead.hint !== cause.hint || claimed.length >= MAX_MERGED)) continue;
    claimed.push(cause);
    taken.add(cause);
  }
  return claimed;
}

function itemOf(causes: readonly [Cause, ...Cause[]], item: z.infer<typeof ItemsShape>['items'][number], siteUrl: string): AnalystAction {
  const [lead] = causes;
  const facts = factsOf(causes);
  const own = actionOf(lead);
  const pages = new Set(causes.flatMap((cause) => cause.pages)).size;
  const problem = modelLine(item.problem, siteUrl, PROBLEM_LENGTH);
  const solution = modelLine(item.solution, siteUrl, SOLUTION_LENGTH);
  const found = causes.map(whereFound).join(' ');
  return {
    ...facts,
    title: modelTitle(item.title, pages) ?? titleOf(lead),
    problem: problem === '' || !countsPagesRight(problem, pages) ? own.problem : `${sentence(problem)} ${found}`,
    solution: solution === '' || !countsPagesRight(solution, pages) ? own.solution : sentence(solution),
  };
}

/** Every cause becomes part of exactly one item. Impact comes first whatever order was given; null when nothing in the answer could be used. */
export function itemsFrom(answer: z.infer<typeof ItemsShape>, input: AnalystInput, causes: readonly Cause[]): readonly AnalystAction[] | null {
  const known = causesById(causes);
  const taken = new Set<Cause>();
  const items: { readonly action: AnalystAction; readonly hint: boolean }[] = [];
  for (const item of answer.items) {
    const [lead, ...others] = claim(item.findingIds, known, taken);
    if (lead) items.push({ action: itemOf([lead, ...others], item, input.url), hint: lead.hint });
  }
  if (items.length === 0) return null;
  for (const cause of causes) if (!taken.has(cause)) items.push({ action: actionOf(cause), hint: cause.hint });
  return items.sort((a, b) => compareImpact(a.action.impact, b.action.impact) || Number(a.hint) - Number(b.hint)).map(({ action }) => action);
}

/** Null when nothing in the answer could be used. */
export function analysisFrom(answer: z.infer<typeof AnalysisShape>, input: AnalystInput, causes: readonly Cause[]): string | null {
  const known = causesById(causes);
  const taken = new Set<Cause>();
  const overview = modelParagraphs(answer.overview, input.url, 4000);
  const chosen: { readonly cause: Cause; readonly text: string | undefined }[] = [];
  for (const { findingIds, text } of answer.priorities) {
    const [cause] = claim(findingIds.slice(0, 1), known, taken);
    const words = modelLine(text, input.url, TEXT_LENGTH);
    if (cause) chosen.push({ cause, text: words === '' || !countsPagesRight(words, cause.pages.length) ? undefined : sentence(words) });
  }
  if (overview === '' || chosen.length === 0) return null;
  // What is of higher impact may not be pushed off the list.
  for (const cause of causes) if (!taken.has(cause)) chosen.push({ cause, text: undefined });
  const top = chosen.sort((a, b) => compareImpact(a.cause.impact, b.cause.impact)).slice(0, MAX_PRIORITIES);
  const priorities = `### What matters most\n\n${top.map(({ cause, text }) => priority(cause, text)).join('\n')}`;
  return joinSections([openingOf(input, causes), overview, priorities, categoriesSection(causes), quickWinsSection(causes), coverageSection(input)]);
}

/** Null when nothing in the answer could be used. */
export function summaryFrom(answer: z.infer<typeof SummaryShape>, input: AnalystInput, actions: readonly AnalystAction[]): string | null {
  const opening = modelLine(answer.opening, input.url, 1500);
  const texts = new Map(answer.points.map(({ actionId, text }) => [actionId, modelLine(text, input.url, TEXT_LENGTH)]));
  const top = actions.slice(0, TOP_ACTIONS);
  if (opening === '' || !top.some((action) => texts.get(action.id))) return null;
  const title = top.length === 1 ? '## The one thing to do' : `## The ${top.length === 2 ? 'two' : 'three'} most important things`;
  const points = top.map((action, index) => point(action, index, texts.get(action.id) || undefined)).join('\n');
  const sections = [
    headingOf(input),
    scoreOf(input, actions),
    opening,
    `${title}\n\n${points}`,
    timeSection(actions),
    goodNewsSection(input),
    limitsSection(input),
  ];
  return `${sections.filter((section) => section !== '').join('\n\n')}\n`;
}
