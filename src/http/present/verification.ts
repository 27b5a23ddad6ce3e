/** The result of rechecking an item, with a text for the user. */
import type { Progress } from '../../domain/plan/progress.ts';
import { listed } from '../../model/wording.ts';
import type { VerificationView } from '../contract/actions.ts';

type Verified = NonNullable<Progress['verification']>;

export function presentVerification(verified: Verified): VerificationView {
  const { at, outcome, fixed, stillThere, notChecked, stillThereAt, notCheckedAt } = verified;
  return {
    at,
    outcome,
    fixed,
    text: [textOf(verified), lookedText(verified)].filter((text) => text !== '').join(' '),
    still_there: stillThere,
    not_checked: notChecked,
    still_there_at: stillThereAt.map(({ url, place, message }) => ({ url, place, message })),
    not_checked_at: notCheckedAt.map(({ url, because }) => ({ url, because })),
  };
}

function textOf({ outcome, fixed, stillThere, notChecked, stillThereAt, notCheckedAt }: Verified): string {
  const all = fixed + stillThere + notChecked;
  const unseen =
    notChecked === 0 ? '' : ` ${places(notChecked)} could not be checked${reason(notCheckedAt[0]?.because)}`;
  if (outcome === 'fixed')
    return `Fixed: ${all === 1 ? 'rechecked' : `all ${places(all)} rechecked`}, and nothing is left of it.`;
  if (outcome === 'still_failing') {
    const what = stillThereAt[0] ? ` ${sentence(stillThereAt[0].message)}` : '';
    return `Still there${all === 1 ? '' : ` in ${stillThere} of ${places(all)}`}:${what}${unseen}`.trim();
  }
  return `Not verified${fixed === 0 ? '' : `, although ${places(fixed)} ${fixed === 1 ? 'is' : 'are'} fixed`}:${unseen}`;
}

const SHOWN = 3;

/** What the code said it would change. */
function lookedText({ lookedAt = [] }: Verified): string {
  const more = lookedAt.length - SHOWN;
  const shown = [...lookedAt.slice(0, SHOWN), ...(more > 0 ? [`${more} more`] : [])];
  return shown.length === 0 ? '' : `Rechecked: ${listed(shown)}.`;
}

const places = (count: number): string => `${count} ${count === 1 ? 'place' : 'places'}`;
const reason = (because: string | undefined): string => (because === undefined ? '.' : `: ${sentence(because)}`);
const sentence = (text: string): string => (/[.!?…]$/.test(text) ? text : `${text}.`);
