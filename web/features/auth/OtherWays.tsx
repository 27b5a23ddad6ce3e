import { useSelector } from 'react-redux';
import { selectStatus } from '../../api/system.ts';
import { Button } from '../../ui/Button.tsx';
import { SsoButtons } from './SsoButtons.tsx';

/** Ways besides the password, as far as this installation has them: below everything that is about the password. */
export function OtherWays({ onEmail }: { onEmail: () => void }) {
  const ways = useSelector(selectStatus)?.log_in;
  if (!ways?.by_mail && !ways?.providers?.length) return null;
  return (
    <div className="mt-6 space-y-2 border-t border-line pt-6">
      {ways.by_mail && (
        <Button className="h-9 w-full" onClick={onEmail}>
          Use an emailed code
        </Button>
      )}
      <SsoButtons />
    </div>
  );
}
