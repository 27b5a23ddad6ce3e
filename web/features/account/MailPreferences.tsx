import { useId } from 'react';
import { useSelector } from 'react-redux';
import { textOf } from '../../api/failure.ts';
import { selectUnlimited } from '../../api/system.ts';
import { Card } from '../../ui/Card.tsx';
import { FieldError } from '../../ui/form/Field.tsx';
import { QueryState } from '../../ui/QueryState.tsx';
import { RowsSkeleton } from '../../ui/Skeleton.tsx';
import { useGetMailPreferencesQuery, useSetMailPreferencesMutation } from './securityApi.ts';

const CHOICES = [
  {
    mail: 'job_done',
    label: 'When an audit is done',
    hint: 'The score, the top tasks and a link; one email per batch. Security emails are always sent.',
  },
  {
    mail: 'subscription_ends',
    label: 'Plan ending soon',
    hint: 'Three days before a canceled plan ends. Receipts and emails about failed payments are always sent.',
  },
  { mail: 'sequence', label: 'Tips and news', hint: 'A few emails that help you get started; at most one a day.' },
] as const;

export function MailPreferences() {
  const query = useGetMailPreferencesQuery();
  const [save, { error: refused }] = useSetMailPreferencesMutation();
  const id = useId();
  const unlimited = useSelector(selectUnlimited);
  const choices = unlimited ? CHOICES.filter(({ mail }) => mail !== 'subscription_ends') : CHOICES;
  return (
    <Card title="Emails">
      <QueryState
        query={query}
        title="Failed to load your email settings"
        loading={<RowsSkeleton label="Loading your email settings" rows={1} row="h-5" />}
      >
        {(data) => (
          <ul className="grid gap-3">
            {choices.map(({ mail, label, hint }) => (
              <li key={mail} className="flex items-start gap-2">
                <input
                  id={`${id}-${mail}`}
                  type="checkbox"
                  className="mt-1 size-4 accent-(--color-accent)"
                  checked={data[mail]}
                  aria-describedby={`${id}-${mail}-hint`}
                  onChange={(event) => void save({ [mail]: event.target.checked })}
                />
                <div>
                  <label htmlFor={`${id}-${mail}`} className="font-medium text-strong">
                    {label}
                  </label>
                  <p id={`${id}-${mail}-hint`} className="text-sm text-muted">
                    {hint}
                  </p>
                </div>
              </li>
            ))}
          </ul>
        )}
      </QueryState>
      {refused && <FieldError>{textOf(refused, 'Couldn’t save this. Please try again.')}</FieldError>}
    </Card>
  );
}
