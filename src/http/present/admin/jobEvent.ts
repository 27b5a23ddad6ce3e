/** A job event, for admins. */
import { isOwn } from '../../../commands/isOwn.ts';
import type { JobEvent } from '../../../domain/job/events.ts';
import type { ModelUse } from '../../../domain/modelUse.ts';
import type { DataOf } from '../../../domain/stored/eventOf.ts';
import type { Actor } from '../../../domain/stored/metadata.ts';
import { redacted } from '../../../domain/stored/redaction.ts';
import type { Recorded, RecordedEvent } from '../../../eventStore/eventStore.ts';
import { eventWords } from '../../../model/history/eventWords.ts';
import { dollarsText, TEXT_OF } from '../../../model/modelUse.ts';
import type { JobEventView } from '../../contract/admin/jobs.ts';

/** `emailOf`: emails of the admins among the actors. */
export function presentJobEvent(event: RecordedEvent, emailOf: ReadonlyMap<string, string>): JobEventView {
  const { type, data, metadata, revision, unreadable } = event;
  const shown = { number: Number(revision), type, at: metadata.at, by: byOf(metadata.actor, emailOf) };
  if (unreadable !== undefined) return { ...shown, title: 'An event that this version cannot read', data: {} };
  const detail = isOwn<Recorded<JobEvent>, RecordedEvent>(event) ? detailOf(event) : null;
  return {
    ...shown,
    title: detail === null ? eventWords(type) : `${eventWords(type)}: ${detail}`,
    data: redacted(type, data),
  };
}

/** The actor relative to the owner: 'its owner'. */
export function byOf({ kind, id, onBehalfOf }: Actor, emailOf: ReadonlyMap<string, string>): string {
  switch (kind) {
    case 'user':
      return 'its owner';
    case 'apiKey':
      return 'its owner’s API key';
    case 'admin':
      return onBehalfOf === undefined ? 'an admin' : `${emailOf.get(id) ?? 'an admin'}, as an administrator`;
    case 'worker':
      return 'a worker';
    case 'anonymous':
      return 'somebody';
    default:
      return id === 'operator' ? 'an operator' : 'the system';
  }
}

/** What one event of its type adds to the type's words; null for nothing. */
function detailOf(event: Recorded<JobEvent>): string | null {
  switch (event.type) {
    case 'JobSubmitted':
      return event.data.url;
    case 'JobStarted':
      return event.data.attempt === 1
        ? null
        : `attempt ${event.data.attempt}${event.data.afterSlowSite ? ', with a slot again' : ''}`;
    case 'JobQueued':
      return event.data.slowSite ? 'its site is slow, and others wait' : null;
    case 'JobStepStarted':
      return wordsOf(event.data.step);
    case 'JobStepEnded':
      return `${wordsOf(event.data.step)}${event.data.note === undefined ? '' : ` (${event.data.note})`}`;
    case 'JobProgressed':
      return `${event.data.pagesDone} of ${event.data.pagesKnown} pages`;
    case 'JobReportReady':
      return `${scoreWords(event.data)}, ${event.data.findings} findings on ${event.data.pagesAudited} pages`;
    case 'JobSummaryWritten':
      return `${event.data.by}${event.data.fallback ? ', in place of the model' : ''}`;
    case 'ModelAsked':
      return modelAsked(event.data);
    case 'JobActionsGenerated':
      return String(event.data.count);
    case 'JobPartiallyCompleted':
    case 'JobPartiallySucceeded':
    case 'JobFailed':
      return event.data.reason;
    case 'JobCompleted':
    case 'JobCancelled':
    case 'JobUnlocked':
    case 'JobDeleted':
      return null;
    default:
      event satisfies never;
      return null;
  }
}

function scoreWords({ score, notJudged }: DataOf<'JobReportReady'>): string {
  if (score !== null) return `score ${score}`;
  return notJudged === undefined ? 'not scored' : `not scored (${notJudged.replaceAll('_', ' ')})`;
}

/** 'grok-4 for the summary: 1,200 tokens in, 300 out, $0.0081'. */
function modelAsked({ key, model, answers, inputTokens, outputTokens, costMicros, used }: ModelUse): string {
  const tokens =
    inputTokens === null || outputTokens === null
      ? 'tokens unknown'
      : `${grouped(inputTokens)} tokens in, ${grouped(outputTokens)} out`;
  const took =
    answers === 0 ? 'no answer' : [tokens, ...(costMicros === null ? [] : [dollarsText(costMicros)])].join(', ');
  return `${model} for the ${TEXT_OF[key].toLowerCase()}: ${took}${used || answers === 0 ? '' : '; not used'}`;
}

const grouped = (count: number): string => count.toLocaleString('en-US');

const wordsOf = (step: string): string => step.replaceAll('_', ' ');
