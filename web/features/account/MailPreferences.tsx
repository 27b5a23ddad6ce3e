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
      <Card title="Mails">
        {error ? (
          <ErrorPanel
            title="Failed to load your mail settings"
            text={textOf(error, 'The server did not answer as expected.')}
            busy={isFetching}
            onRetry={() => void refetch()}
          />
        ) : (
          <div role="status">
            <span className="sr-only">Loading your mail settings</span>
            <Skeleton className="h-5 w-2/3" />
          </div>
        )}
      </Card>
    );
  }
  return (
    <Card title="Mails">
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
            When an analysis is done
          </label>
          <p id={`${id}-hint`} className="text-sm text-muted">
            Its score, the first things to do and a link; one mail for all of a batch. Mails about your password and address always come.
          </p>
        </div>
      </div>
      {refused && <FieldError>{textOf(refused, 'This could not be saved. Please try again.')}</FieldError>}
    </Card>
  );
}
