import { useId } from 'react';
import { textOf } from '../../api/failure.ts';
import { Card } from '../../ui/Card.tsx';
import { ErrorPanel } from '../../ui/ErrorPanel.tsx';
import { FieldError } from '../../ui/form/Field.tsx';
import { Skeleton } from '../../ui/Skeleton.tsx';
import { useGetMailPreferencesQuery, useSetMailPreferencesMutation } from './securityApi.ts';

export function MailPreferences() {
  const { data, error, isFetching, refetch } = useGetMailPreferencesQuery();
  const [save, { error: refused }] = useSetMailPreferencesMutation();
  const id = useId();
  if (!data) {
    return (
      <Card title="Emails">
        {error ? (
          <ErrorPanel
            title="Failed to load your email settings"
            text={textOf(error, 'The server sent an unexpected response.')}
            busy={isFetching}
            onRetry={() => void refetch()}
          />
        ) : (
          <div role="status">
            <span className="sr-only">Loading your email settings</span>
            <Skeleton className="h-5 w-2/3" />
          </div>
        )}
      </Card>
    );
  }
  return (
    <Card title="Emails">
      <div className="flex items-start gap-2">
        <input
          id={id}
          type="checkbox"
          className="mt-1 size-4 accent-(--color-accent)"
          checked={data.job_done}
          aria-describedby={`${id}-hint`}
          onChange={(event) => void save({ job_done: event.target.checked })}
        />
        <div>
          <label htmlFor={id} className="font-medium text-strong">
            When an audit is done
          </label>
          <p id={`${id}-hint`} className="text-sm text-muted">
            The score, the top tasks and a link; one email per batch. Security emails are always sent.
          </p>
        </div>
      </div>
      {refused && <FieldError>{textOf(refused, 'Couldn’t save this. Please try again.')}</FieldError>}
    </Card>
  );
}
