/** The result of a verification for a terminal: plain text, with no control sequences from the site. */
import { editedPlace } from '../../model/edits.ts';
import { count, plural } from '../checks/evidence.ts';
import type { Verification, VerifiedFinding } from '../verify.ts';
import { oneLine } from './markdown.ts';

const TITLES: Readonly<Record<VerifiedFinding['state'], string>> = {
  still_there: 'STILL THERE',
  not_checked: 'NOT CHECKED',
  fixed: 'FIXED',
};
const SHOWN_REQUESTS = 10;

export function verificationText({ results, requests, durationMs }: Verification): string {
  if (results.length === 0) return 'The audit found nothing, so there is nothing to recheck.\n';
  const of = (state: VerifiedFinding['state']): readonly VerifiedFinding[] =>
    results.filter((result) => result.state === state);
  const lines = [
    `${plural(results.length, 'finding')} rechecked: ${count(of('fixed').length)} fixed, ${count(of('still_there').length)} still there, ${count(of('not_checked').length)} not checked.`,
    ...(['still_there', 'not_checked', 'fixed'] as const).flatMap((state) => section(TITLES[state], of(state))),
    '',
    `${plural(requests.length, 'request')} in ${(durationMs / 1000).toFixed(1)} s:`,
    ...requests
      .slice(0, SHOWN_REQUESTS)
      .map(({ method, url, status }) => `  ${method} ${oneLine(url)} ${status ?? 'no answer'}`),
    ...(requests.length > SHOWN_REQUESTS ? [`  and ${count(requests.length - SHOWN_REQUESTS)} more`] : []),
  ];
  return `${lines.join('\n')}\n`;
}

function section(title: string, results: readonly VerifiedFinding[]): string[] {
  if (results.length === 0) return [];
  return ['', title, ...results.flatMap(lines)];
}

function lines({ finding, now, because }: VerifiedFinding): string[] {
  const { message, evidence, checkId, id } = now ?? finding;
  const { edit } = finding;
  return [
    `  - ${oneLine(message)}  [${checkId}, ${id}]`,
    `    ${oneLine(evidence.url)}  ${oneLine(evidence.place, 120)}`,
    ...(edit === undefined ? [] : [`    Rechecked: ${oneLine(editedPlace(edit, finding.evidence.url))}`]),
    ...(because === null ? [] : [`    ${oneLine(`${because.slice(0, 1).toUpperCase()}${because.slice(1)}`)}.`]),
  ];
}
