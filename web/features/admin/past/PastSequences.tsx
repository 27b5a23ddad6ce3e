import type { PastSequencesResponse } from '../../../../src/http/contract/admin/pastLists.ts';
import { adminPaths } from '../../../ui/adminPaths.ts';
import { Card } from '../../../ui/Card.tsx';
import { Rest } from '../../../ui/table/Rest.tsx';
import { exactTime } from '../../../ui/text/time.ts';
import { count } from '../../../ui/text/wording.ts';
import { AdminAnswer } from '../AdminAnswer.tsx';
import { ActiveBadge } from '../sequences/ActiveBadge.tsx';
import { delayText, nameOfTrigger } from '../sequences/sequenceWording.ts';
import { ListHead } from './ListHead.tsx';
import { useListPastSequencesInfiniteQuery } from './pastApi.ts';
import { pastFailure } from './pastFailure.ts';
import { WrittenText } from './WrittenText.tsx';

interface PastSequencesProps {
  at: string;
  onShow: (next: { readonly at: string }) => void;
}

/** Each sequence with its emails of then. */
export function PastSequences({ at, onShow }: PastSequencesProps) {
  const query = useListPastSequencesInfiniteQuery(at);
  return (
    <div className="space-y-4">
      <AdminAnswer
        query={query}
        title="Failed to load the email sequences"
        textOf={pastFailure('There are no email sequences.')}
        above={(data) => (
          <ListHead
            title="Email sequences"
            list="sequences"
            shown={{ at, moment: data?.pages[0]?.moment }}
            now={adminPaths.sequences}
            onShow={onShow}
          />
        )}
      >
        {({ pages }) => {
          const sequences = pages.flatMap(({ data }) => data);
          return (
            <>
              {sequences.length === 0 && <p className="text-muted">No email sequences at that time.</p>}
              <ul aria-label="Email sequences at that time" className="grid gap-4">
                {sequences.map((sequence) => (
                  <li key={sequence.id}>
                    <Sequence sequence={sequence} />
                  </li>
                ))}
              </ul>
              <Rest query={query} />
            </>
          );
        }}
      </AdminAnswer>
    </div>
  );
}

function Sequence({ sequence }: { sequence: PastSequencesResponse['data'][number] }) {
  return (
    <Card title={sequence.name} aside={<ActiveBadge isActive={sequence.is_active} />}>
      <p className="text-sm text-muted">
        {nameOfTrigger(sequence.trigger)} · {count(sequence.templates.length, 'template')} · Created{' '}
        {exactTime(sequence.created_at)}
      </p>
      {sequence.description && <p className="wrap-anywhere">{sequence.description}</p>}
      {sequence.templates.map(({ id, step_number, name, subject, content, delay_days, is_active }) => (
        <WrittenText key={id} summary={`Step ${step_number}: ${name}${is_active ? '' : ' (inactive)'}`} text={content}>
          <p className="text-sm text-muted wrap-anywhere">
            {subject} · {delayText(delay_days)}
          </p>
        </WrittenText>
      ))}
    </Card>
  );
}
