/** Readable values for state fields, as this browser shows money and times. */
import type { HistoryChange } from '../../../../src/http/contract/admin/history.ts';
import { type ValueTexts, valueWords as wordsOf } from '../../../../src/model/history/changeWords.ts';
import { moneyText } from '../../../ui/text/money.ts';
import { exactTime } from '../../../ui/text/time.ts';
import { cutMiddle, grouped } from '../../../ui/text/wording.ts';

const SHOWN = 160;
const TEXTS: ValueTexts = {
  money: moneyText,
  time: (iso) => exactTime(iso, 'seconds'),
  number: grouped,
  long: (text) => cutMiddle(text, SHOWN),
};

/** `currency`: the event's, used where the state has none. */
export const valueWords = (path: readonly string[], value: unknown, currency: string | null): string =>
  wordsOf(TEXTS, path, value, currency);

export const changeKindOf = ({ before, after }: HistoryChange): 'added' | 'removed' | 'changed' =>
  before === undefined || before === null ? 'added' : after === undefined ? 'removed' : 'changed';
