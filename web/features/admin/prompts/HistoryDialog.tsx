import { useEffect, useState } from 'react';
import type { PromptVersionView, PromptView } from '../../../../src/http/contract/admin/prompts.ts';
import { asFailure } from '../../../api/failure.ts';
import { Badge } from '../../../ui/Badge.tsx';
import { Button } from '../../../ui/Button.tsx';
import { ErrorPanel } from '../../../ui/ErrorPanel.tsx';
import { Notice } from '../../../ui/Notice.tsx';
import { Dialog } from '../../../ui/overlay/Dialog.tsx';
import { FormDialog } from '../../../ui/overlay/FormDialog.tsx';
import { useToasts } from '../../../ui/overlay/Toasts.tsx';
import { Loading } from '../../../ui/Spinner.tsx';
import { RelativeTime } from '../../../ui/text/RelativeTime.tsx';
import { useListPromptHistoryQuery, useRevertPromptMutation } from './promptsApi.ts';
import { TextDiff } from './TextDiff.tsx';

const SHOWN_CHARACTERS = 300;

interface HistoryDialogProps {
  prompt: PromptView;
  /** The editor has unsaved text. */
  unsaved: boolean;
  /** Called when the server has a newer version. */
  onStale: () => void;
  onClose: () => void;
}

/** The versions of a prompt, newest first, each compared with the current one and restorable. */
export function HistoryDialog({ prompt, unsaved, onStale, onClose }: HistoryDialogProps) {
  const [cursors, setCursors] = useState<readonly (string | null)[]>([null]);
  const [reverting, setReverting] = useState<PromptVersionView | null>(null);
  return (
    <Dialog wide title={`History of ${prompt.name}`} onClose={onClose}>
      <div className="min-h-0 flex-1 space-y-3 overflow-y-auto">
        {cursors.map((cursor, at) => (
          <HistoryPage
            key={cursor ?? ''}
            {...{ prompt, cursor }}
            onRevert={setReverting}
            onMore={at === cursors.length - 1 ? (next) => setCursors([...cursors, next]) : null}
          />
        ))}
      </div>
      {reverting && (
        <RevertQuestion
          {...{ prompt, unsaved, onStale }}
          version={reverting}
          onClose={() => setReverting(null)}
          onDone={onClose}
        />
      )}
    </Dialog>
  );
}

interface HistoryPageProps {
  prompt: PromptView;
  cursor: string | null;
  onRevert: (version: PromptVersionView) => void;
  /** Null when the next page is already loaded. */
  onMore: ((cursor: string) => void) | null;
}

function HistoryPage({ prompt, cursor, onRevert, onMore }: HistoryPageProps) {
  const { data, isError, isFetching, refetch } = useListPromptHistoryQuery({ key: prompt.key, cursor });
  const say = useToasts();
  useEffect(() => {
    if (isError) say('history', { text: 'Failed to load history', bad: true });
  }, [isError, say]);
  if (isError)
    return (
      <ErrorPanel
        title="The history is not available"
        text="Please try again."
        busy={isFetching}
        onRetry={() => void refetch()}
      />
    );
  if (!data) return <Loading />;
  return (
    <>
      <ol className="space-y-3">
        {data.history.map((version) => (
          <li key={version.id}>
            <Version {...{ prompt, version }} onRevert={() => onRevert(version)} />
          </li>
        ))}
      </ol>
      {data.cursor !== null && onMore && (
        <Button onClick={() => data.cursor && onMore(data.cursor)}>Show earlier versions</Button>
      )}
    </>
  );
}

function Version({
  prompt,
  version,
  onRevert,
}: {
  prompt: PromptView;
  version: PromptVersionView;
  onRevert: () => void;
}) {
  const [compared, setCompared] = useState(false);
  const current = version.version === prompt.version;
  const { content } = version;
  return (
    <article aria-label={`Version ${version.version}`} className="rounded-control border border-line p-3">
      <div className="flex flex-wrap items-center justify-between gap-2">
        <div>
          <h3 className="flex flex-wrap items-center gap-2 text-base">
            Version {version.version}
            {current && <Badge tone="good">Current</Badge>}
          </h3>
          <p className="text-sm text-muted wrap-anywhere">
            {version.change_note}
            {version.created_at && (
              <>
                {' · '}
                <RelativeTime iso={version.created_at} />
              </>
            )}
          </p>
        </div>
        {!current && (
          <div className="flex flex-wrap gap-2">
            <Button
              aria-expanded={compared}
              aria-label={`Compare version ${version.version} with the current one`}
              onClick={() => setCompared(!compared)}
            >
              {compared ? 'Hide comparison' : 'Compare'}
            </Button>
            <Button aria-label={`Revert to version ${version.version}`} onClick={onRevert}>
              Revert
            </Button>
          </div>
        )}
      </div>
      <p className="mt-2 font-mono text-sm whitespace-pre-wrap text-normal wrap-anywhere">
        {content.slice(0, SHOWN_CHARACTERS)}
        {content.length > SHOWN_CHARACTERS && '…'}
      </p>
      {compared && (
        <div className="mt-3">
          <TextDiff
            before={content}
            after={prompt.content}
            beforeName={`version ${version.version}`}
            afterName={`version ${prompt.version}`}
          />
        </div>
      )}
    </article>
  );
}

interface RevertQuestionProps {
  prompt: PromptView;
  version: PromptVersionView;
  unsaved: boolean;
  onStale: () => void;
  onClose: () => void;
  onDone: () => void;
}

function RevertQuestion({ prompt, version, unsaved, onStale, onClose, onDone }: RevertQuestionProps) {
  const [revert, { isLoading, error: refusal }] = useRevertPromptMutation();
  // The page may be updated while the question is open: until the server has refused, what counts is the version the
  // question was about.
  const [seen, setSeen] = useState<number | null>(prompt.version);
  const changed =
    refusal === undefined || asFailure(refusal).code !== 'PROMPT_CHANGED' ? null : asFailure(refusal).message;
  const say = useToasts();
  const confirm = async (): Promise<void> => {
    const { error } = await revert({ key: prompt.key, versionId: version.id, newest: seen ?? prompt.version });
    if (error && asFailure(error).code === 'PROMPT_CHANGED') {
      setSeen(null);
      return onStale();
    }
    say(
      'prompt',
      error ? { text: 'Failed to revert to version', bad: true } : { text: 'Reverted to previous version' },
    );
    if (error) onClose();
    else onDone();
  };
  return (
    <FormDialog
      asks
      title={`Revert to version ${version.version}?`}
      cancel={`Keep version ${prompt.version}`}
      submit={`Revert to version ${version.version}`}
      busy={isLoading}
      onSubmit={confirm}
      onClose={onClose}
    >
      {changed !== null && (
        <Notice tone="attention" title="Nothing was reverted" className="mb-3">
          <p>{changed}</p>
        </Notice>
      )}
      <p>
        The text of version {version.version} becomes version {prompt.version + 1}, and the next audit asks with it. All
        versions stay in the history.
      </p>
      {unsaved && <p className="mt-2">Your unsaved text stays in the editor so that you can compare.</p>}
    </FormDialog>
  );
}
