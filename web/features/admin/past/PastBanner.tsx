import type { FormEvent } from 'react';
import { Link } from 'react-router-dom';
import type { ErasedView } from '../../../../src/http/contract/admin/past.ts';
import { Button, buttonClasses } from '../../../ui/Button.tsx';
import { Field } from '../../../ui/form/Field.tsx';
import { useTyped } from '../../../ui/form/useTyped.ts';
import { Notice } from '../../../ui/Notice.tsx';
import { exactTime } from '../../../ui/text/time.ts';
import { momentText, type Shown } from './momentText.ts';
import { localTime, utcTime } from './pastAddress.ts';

/** Above every past view, so that it is not mistaken for the present. */
export function PastBanner({ shown, now }: { shown: Shown; now: string }) {
  const then = momentText(shown);
  return (
    <Notice tone="attention" title={then === '' ? 'Snapshot' : `Snapshot of ${then}`}>
      <p>{shown.moment?.now ? 'Nothing has happened since. ' : ''}Read-only, without what has been deleted since.</p>
      <Link to={now} className={buttonClasses('secondary')}>
        Back to live
      </Link>
    </Notice>
  );
}

/** Limits the year of a field to four digits, which is all that the server takes. */
export const LAST_MOMENT = '9999-12-31T23:59:59';

/** Uses the browser's own field, which handles calendars, keyboards and time zones. */
export function MomentForm({
  label = 'Point in time',
  time,
  onShow,
}: {
  label?: string;
  time: string;
  onShow: (at: string) => void;
}) {
  const [typed, setTyped] = useTyped(localTime(time));
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    const at = utcTime(typed);
    if (at !== '') onShow(at);
  };
  return (
    <form onSubmit={submit} aria-label={label} className="flex flex-wrap items-end gap-2">
      <Field
        label={label}
        type="datetime-local"
        step={1}
        max={LAST_MOMENT}
        required
        value={typed}
        onChange={({ target }) => setTyped(target.value)}
        className="min-w-0"
      />
      <Button type="submit">Show</Button>
    </form>
  );
}

/** Erased data stays erased at every moment. */
export function Erased({ what, erased: { at, by } }: { what: string; erased: ErasedView }) {
  const title =
    at === null
      ? `This ${what} was deleted`
      : `This ${what} was deleted on ${exactTime(at, 'seconds')} by ${by ?? 'someone'}`;
  return (
    <Notice tone="info" title={title}>
      <p>Its content was erased and can’t be shown for any point in time.</p>
    </Notice>
  );
}
