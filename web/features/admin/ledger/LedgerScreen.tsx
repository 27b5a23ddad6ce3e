import { Download } from 'lucide-react';
import { useState } from 'react';
import { useDispatch, useSelector } from 'react-redux';
import { useSearchParams } from 'react-router-dom';
import { LEDGER_FORMATS, type LedgerFormat } from '../../../../src/model/ledger.ts';
import { asFailure, textOf } from '../../../api/failure.ts';
import { sessionEnded } from '../../../api/sessionEnded.ts';
import { selectStatus } from '../../../api/system.ts';
import { Button } from '../../../ui/Button.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { Rest, rowsIn } from '../../../ui/table/Rest.tsx';
import { Status } from '../../../ui/text/Status.tsx';
import { count } from '../../../ui/text/wording.ts';
import { AdminAnswer } from '../AdminAnswer.tsx';
import { downloadFile } from '../downloadFile.ts';
import { useRequested } from '../useRequested.ts';
import { LedgerFigures } from './LedgerFigures.tsx';
import { LedgerForm } from './LedgerForm.tsx';
import { LedgerRows } from './LedgerRows.tsx';
import { isBackwards, type LedgerRequest, queryOf, requestIn } from './ledgerAddress.ts';
import { LEDGER_PATH, useListLedgerInfiniteQuery, useSumLedgerQuery } from './ledgerApi.ts';

const UNEXPECTED = 'The server sent an unexpected response.';

/** The events of all bills: filtered, summed up, and as files. The filter is kept in the address. */
export function LedgerScreen() {
  const [address, setAddress] = useSearchParams();
  const asked = requestIn(address);
  const [chosen, choose] = useRequested(asked, (next) => setAddress(queryOf(next), { replace: true }));
  const skip = isBackwards(asked);
  const list = useListLedgerInfiniteQuery(asked, { skip });
  const sums = useSumLedgerQuery(asked, { skip });
  const shown = sums.currentData;
  return (
    <div className="space-y-4">
      <LedgerForm asked={chosen} currencies={sums.data?.all_currencies ?? []} onAsk={choose} />
      {!skip && (
        <>
          <Status>{shown && `${count(shown.rows, 'row')} found`}</Status>
          {/* What the list is refused, its sums are refused for the same reason. */}
          {list.error === undefined && (
            <AdminAnswer
              query={{ ...sums, data: shown }}
              title="Failed to sum up the rows"
              textOf={() => textOf(sums.error, UNEXPECTED)}
            >
              {(data) => <LedgerFigures sums={data} />}
            </AdminAnswer>
          )}
          <AdminAnswer
            query={{ ...list, data: list.currentData }}
            title={asFailure(list.error).status === 404 ? 'Nothing found' : 'Failed to load the ledger'}
            textOf={() => textOf(list.error, UNEXPECTED)}
          >
            {({ pages }) => (
              <section aria-labelledby="ledger-rows" className="panel">
                <header className="flex flex-wrap items-center justify-between gap-2 p-4">
                  <h2 id="ledger-rows" className="text-base">
                    Rows
                  </h2>
                  <Files asked={asked} />
                </header>
                {pages[0]?.searched === 'payer' && (
                  <p className="border-t border-line px-4 py-3 text-sm text-muted">
                    Nothing was paid for that job. These are its owner’s rows.
                  </p>
                )}
                <Rows rows={rowsIn({ pages })} total={shown?.rows} />
                <Rest query={list} />
              </section>
            )}
          </AdminAnswer>
        </>
      )}
    </div>
  );
}

function Rows({ rows, total }: Omit<Parameters<typeof LedgerRows>[0], 'payments'>) {
  const payments = useSelector(selectStatus)?.payments ?? 'off';
  if (rows.length === 0) return <p className="border-t border-line px-4 py-12 text-center text-muted">No rows.</p>;
  return <LedgerRows rows={rows} total={total} payments={payments} />;
}

/** All rows of the filter, as files. */
function Files({ asked }: { asked: LedgerRequest }) {
  const dispatch = useDispatch();
  const [failed, setFailed] = useState(false);
  const [saving, setSaving] = useState<LedgerFormat | null>(null);
  const save = async (format: LedgerFormat): Promise<void> => {
    setSaving(format);
    const name = `ledger-${new Date().toISOString().slice(0, 10)}.${format}`;
    const ended = (): void => void dispatch(sessionEnded());
    setFailed(!(await downloadFile(`${LEDGER_PATH}/export`, { ...queryOf(asked), format }, name, ended)));
    setSaving(null);
  };
  return (
    <div className="flex flex-wrap items-center gap-2">
      {LEDGER_FORMATS.map((format) => (
        <Button key={format} busy={saving === format} onClick={() => void save(format)}>
          <Download aria-hidden="true" size={14} />
          Download {format.toUpperCase()}
        </Button>
      ))}
      {failed && <Notice tone="bad" title="The file could not be fetched. Please try again." className="w-full" />}
    </div>
  );
}
