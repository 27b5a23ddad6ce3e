import { Search } from 'lucide-react';
import { Link, useSearchParams } from 'react-router-dom';
import { textOf } from '../../../api/failure.ts';
import { adminHistoryPath } from '../../../ui/adminPaths.ts';
import { Button } from '../../../ui/Button.tsx';
import { Card } from '../../../ui/Card.tsx';
import { Field } from '../../../ui/form/Field.tsx';
import { useTyped } from '../../../ui/form/useTyped.ts';
import { Status } from '../../../ui/text/Status.tsx';
import { count } from '../../../ui/text/wording.ts';
import { AdminAnswer } from '../AdminAnswer.tsx';
import { useFindStreamsQuery } from './historyApi.ts';

/** Finds histories from any id, address or email an admin has. `explained`: lists what can be entered. */
export function FindHistory({ text, explained }: { text: string; explained: boolean }) {
  const [typed, setTyped] = useTyped(text);
  const [, setAddress] = useSearchParams();
  return (
    <div className="space-y-4">
      <form
        className="flex max-w-2xl flex-wrap items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          if (typed.trim() !== '') setAddress({ find: typed.trim() });
        }}
      >
        <Field
          label="Find a history"
          type="search"
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          maxLength={500}
          placeholder="An id, an email, or an address"
          value={typed}
          onChange={({ target }) => setTyped(target.value)}
          className="min-w-0 flex-1 basis-64"
        />
        <Button type="submit" variant="primary" className="min-h-9">
          <Search aria-hidden="true" size={14} />
          Find
        </Button>
      </form>
      {explained && (
        <p className="max-w-[70ch] text-sm text-muted">
          Search by id (job, user, session, email, payment, customer, event or request; deleted ones, too), invoice
          number, promotion code, a user’s email, shared link, or any address of this app.
        </p>
      )}
      {text !== '' && <Found text={text} />}
    </div>
  );
}

function Found({ text }: { text: string }) {
  const query = useFindStreamsQuery(text);
  const number = query.currentData?.length;
  return (
    <>
      <Status>{number !== undefined && count(number, 'history', 'histories')}</Status>
      <AdminAnswer
        query={{ ...query, data: query.currentData }}
        title="Failed to search"
        textOf={() => textOf(query.error, 'The server sent an unexpected response.')}
      >
        {(found) => (
          <Card title="Histories">
            {found.length === 0 && <p className="text-muted">No matches.</p>}
            <ul aria-label="Histories" className="divide-y divide-line">
              {found.map(({ stream, kind, about, deleted }) => (
                <li key={stream} className="flex flex-wrap items-baseline gap-x-3 py-2">
                  <Link to={adminHistoryPath(stream)} className="font-medium link">
                    {kind}
                  </Link>
                  <span className="text-sm text-normal wrap-anywhere">
                    {[about, deleted && 'deleted'].filter(Boolean).join(', ')}
                  </span>
                  <span className="font-mono text-xs text-muted wrap-anywhere">{stream}</span>
                </li>
              ))}
            </ul>
          </Card>
        )}
      </AdminAnswer>
    </>
  );
}
