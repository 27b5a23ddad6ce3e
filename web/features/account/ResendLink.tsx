import { textOf } from '../../api/failure.ts';
import { Button } from '../../ui/Button.tsx';
import { FieldError } from '../../ui/form/Field.tsx';
import { useResendConfirmationMutation } from './securityApi.ts';

/** Sends the link that confirms the user's email again. */
export function ResendLink() {
  const [resend, { isLoading, data, error }] = useResendConfirmationMutation();
  return (
    <>
      <div className="flex flex-wrap items-center gap-x-2 text-sm">
        {/* Also within forms, which it must not submit. */}
        <Button type="button" variant="secondary" busy={isLoading} onClick={() => void resend()}>
          Resend link
        </Button>
        <p role="status">
          {data && (data.sent_to ? 'Sent. Please check your spam folder, too.' : 'Your email is already confirmed.')}
        </p>
      </div>
      {error && <FieldError>{textOf(error, 'The link couldn’t be sent. Please try again.')}</FieldError>}
    </>
  );
}
