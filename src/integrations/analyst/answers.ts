/**
 * Turns a model's answer into texts: its words, our facts. Parts that refer to nothing known are dropped and counted;
 * omissions are filled in.
 */
import type * as z from 'zod';
import type { Finding } from '../../model/findings.ts';
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
import { type Cause, compareCauses, compareImpact, compareKinds, findingsOf } from './causes.ts';
import { type Ground, isAbout, isBacked } from './grounding.ts';
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

/** Finding id → its cause. */
function causesById(causes: readonly Cause[]): ReadonlyMap<string, Cause> {
  return new Map(causes.flatMap((cause) => findingsOf(cause).map((finding) => [finding.id, cause] as const)));
}

function groundOf(causes: readonly Cause[], { url }: AnalystInput): Ground {
  return {
    siteUrl: url,
    checks: causes.flatMap((cause) => [cause.check, ...cause.joined.map((other) => other.check)]),
    findings: causes.flatMap(findingsOf),
  };
}

/** Text backed by what it refers to, ready to show; '' otherwise. */
function wordsOf(text: string, ground: Ground, max: number): string {
  return isBacked(text, ground) && isAbout(text, ground) ? modelLine(text, ground.siteUrl, max) : '';
}

/**
 * The distinct, unclaimed causes that the ids refer to, limited in number and all of the same category, impact and
 * kind.
 */
function claim(ids: readonly string[], known: ReadonlyMap<string, Cause>, taken: ReadonlySet<Cause>): readonly Cause[] {
  const claimed: Cause[] = [];
  for (const id of ids) {
    const cause = known.get(id);
    if (!cause || taken.has(cause) || claimed.includes(cause)) continue;
    const [lead] = claimed;
    const fits =
      !lead ||
      (lead.category === cause.category &&
        lead.impact === cause.impact &&
        lead.hint === cause.hint &&
        lead.cap === cause.cap);
    if (fits && claimed.length < BOUNDS.seo_actions.max_merged) claimed.push(cause);
  }
  return claimed;
}

type Item = z.infer<typeof ItemsShape>['items'][number];

/** Null if none of its text can be used. */
function itemOf(causes: readonly [Cause, ...Cause[]], item: Item, input: AnalystInput): Used<AnalystAction> | null {
  const [lead] = causes;
  const ground = groundOf(causes, input);
  if (!isAbout(`${item.title} ${item.problem} ${item.solution}`, ground)) return null;
  const own = actionOf(lead);
  const pages = new Set(causes.flatMap((cause) => cause.pages)).size;
  const line = (text: string, max: number): string =>
    isBacked(text, ground) && countsPagesRight(text, pages) ? modelLine(text, ground.siteUrl, max) : '';
  const title = isBacked(item.title, ground) ? modelTitle(item.title, pages) : null;
  const problem = line(item.problem, PROBLEM_LENGTH);
  const solution = line(item.solution, SOLUTION_LENGTH);
  const dropped = [title ?? '', problem, solution].filter((text) => text === '').length;
  if (dropped === 3) return null;
  const found = causes.map(whereFound).join(' ');
  const value = {
    ...factsOf(causes),
    title: title ?? titleOf(lead),
    problem: problem === '' ? own.problem : `${sentence(problem)} ${found}`,
    solution:
      solution === ''
        ? own.solution
        : [sentence(solution), followsText(causes)].filter((text) => text !== '').join(' '),
  };
  return { value, dropped };
}

type Placed = { readonly action: AnalystAction; readonly cause: Cause };

function placed(action: AnalystAction, [lead]: readonly [Cause, ...Cause[]]): Placed {
  return { action, cause: { ...lead, minutes: action.timeEstimate } };
}

/** In the one order of all lists; a model may only reorder items of the same impact and kind. */
function inOrder(items: readonly Placed[]): readonly AnalystAction[] {
  const kind = ({ cause }: Placed): string => `${cause.impact} ${cause.hint} ${cause.cap === null}`;
  const waiting = new Map<string, Placed[]>();
  for (const item of items) waiting.set(kind(item), [...(waiting.get(kind(item)) ?? []), item]);
  const slots = items.toSorted((a, b) => compareCauses(a.cause, b.cause));
  return slots.map((slot) => (waiting.get(kind(slot))?.shift() ?? slot).action);
}

/** Every cause becomes part of exactly one item. Null if nothing in the answer can be used. */
export function itemsFrom(
  answer: z.infer<typeof ItemsShape>,
  input: AnalystInput,
  causes: readonly Cause[],
): Used<readonly AnalystAction[]> | null {
  const known = causesById(causes);
  const taken = new Set<Cause>();
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
    for (const cause of [lead, ...others]) taken.add(cause);
    items.push(placed(used.value, [lead, ...others]));
  }
  if (items.length === 0) return null;
  for (const cause of causes) if (!taken.has(cause)) items.push(placed(actionOf(cause), [cause]));
  return { value: inOrder(items), dropped };
}

/** Null if nothing in the answer can be used. */
export function analysisFrom(
  answer: z.infer<typeof AnalysisShape>,
  input: AnalystInput,
  causes: readonly Cause[],
): Used<string> | null {
  const known = causesById(causes);
  const { max_paragraphs: maxParagraphs } = BOUNDS.seo_analysis;
  const overview = answer.overview
    .map(({ findingIds, text }) => {
      const about = [...new Set(findingIds.flatMap((id) => known.get(id) ?? []))];
      return about.length === 0 ? '' : wordsOf(text, groundOf(about, input), PARAGRAPH_LENGTH);
    })
    .filter((text) => text !== '')
    .slice(0, maxParagraphs);
  const texts = new Map<Cause, string>();
  for (const { findingIds, text } of answer.priorities) {
    const [cause] = claim(findingIds.slice(0, 1), known, new Set(texts.keys()));
    const words =
      cause && countsPagesRight(text, cause.pages.length) ? wordsOf(text, groundOf([cause], input), TEXT_LENGTH) : '';
    if (cause && words !== '') texts.set(cause, sentence(words));
  }
  if (overview.length === 0 && texts.size === 0) return null;
  // Higher impact always comes first; within the same impact, the model's choices come first, in its order.
  const chosen = [...texts.keys()];
  const shown = causes
    .map((cause, index) => ({ cause, turn: texts.has(cause) ? chosen.indexOf(cause) : chosen.length + index }))
    .sort((a, b) => compareKinds(a.cause, b.cause) || compareImpact(a.cause.impact, b.cause.impact) || a.turn - b.turn)
    .slice(0, TOP)
    .map(({ cause }) => cause);
  const value = joinSections([
    openingOf(input, causes),
    overview.join('\n\n'),
    prioritiesSection(causes, shown, (cause) => texts.get(cause)),
    categoriesSection(causes),
    quickWinsSection(causes, shown),
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
