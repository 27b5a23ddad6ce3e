import { adminPaths } from '../../../ui/adminPaths.ts';
import { Card } from '../../../ui/Card.tsx';
import { exactTime } from '../../../ui/text/time.ts';
import { AdminAnswer } from '../AdminAnswer.tsx';
import { ActiveBadge } from '../sequences/ActiveBadge.tsx';
import { ListHead } from './ListHead.tsx';
import { useGetPastPromptsQuery } from './pastApi.ts';
import { pastFailure } from './pastFailure.ts';
import { WrittenText } from './WrittenText.tsx';

interface PastPromptsProps {
  at: string;
  onShow: (next: { readonly at: string }) => void;
}

/** Each prompt in its newest version of then. */
export function PastPrompts({ at, onShow }: PastPromptsProps) {
  const query = useGetPastPromptsQuery(at);
  return (
    <div className="space-y-4">
      <AdminAnswer
        query={query}
        title="Failed to load the prompts"
        textOf={pastFailure('There are no prompts.')}
        above={(data) => (
          <ListHead
            title="Prompts"
            list="prompts"
            shown={{ at, moment: data?.moment }}
            now={adminPaths.prompts}
            onShow={onShow}
          />
        )}
      >
        {({ data }) => (
          <ul aria-label="Prompts at that time" className="grid gap-4">
            {data.map(({ key, name, description, version, is_active, updated_at, content }) => (
              <li key={key}>
                <Card title={name} aside={<ActiveBadge isActive={is_active} />}>
                  <p className="text-sm text-muted">
                    Version {version},{' '}
                    {updated_at === null
                      ? 'default: the text of the version that runs today'
                      : `saved on ${exactTime(updated_at, 'seconds')}`}
                  </p>
                  {description && <p className="wrap-anywhere">{description}</p>}
                  <WrittenText summary="Text" text={content} />
                </Card>
              </li>
            ))}
          </ul>
        )}
      </AdminAnswer>
    </div>
  );
}
