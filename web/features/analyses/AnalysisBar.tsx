import { ArrowLeft, Ellipsis, Link2, Share2, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router-dom';
import type { AnalysisView } from '../../../src/http/contract/analyses.ts';
import { Button, buttonClasses } from '../../ui/Button.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { MenuButton } from '../../ui/overlay/MenuButton.tsx';
import { actionsPath, paths } from '../../ui/paths.ts';
import { AnalysisSelect } from './AnalysisSelect.tsx';
import { useListAnalysesQuery } from './analysesApi.ts';
import { currentOf } from './currentAnalysis.ts';
import { DeleteAnalysisDialog } from './DeleteAnalysisDialog.tsx';

interface AnalysisBarProps {
  onShare: (analysis: AnalysisView) => void;
}

/** Above the action items: which audit they belong to, and actions on the whole audit. */
export function AnalysisBar({ onShare }: AnalysisBarProps) {
  const [search] = useSearchParams();
  const navigate = useNavigate();
  const { data: analyses = [] } = useListAnalysesQuery(undefined, { refetchOnMountOrArgChange: true });
  const [deleting, setDeleting] = useState<AnalysisView | null>(null);
  const [deleted, setDeleted] = useState(false);
  const current = currentOf(analyses, search);
  const several = analyses.length > 1;
  const choose = (id: string): void => {
    setDeleted(false);
    const chosen = analyses.find((analysis) => analysis.id === id);
    if (chosen) void navigate(pathOf(chosen));
  };
  return (
    <div className="space-y-3 print:hidden">
      {/* Always one line, so that the content below does not move once the audits are loaded. */}
      <div className="flex items-center gap-x-1 gap-y-2 sm:flex-wrap">
        <Link to={paths.home} className={buttonClasses('quiet', '-ml-2 shrink-0')}>
          <ArrowLeft aria-hidden="true" size={14} />
          <span className={several ? 'max-sm:sr-only' : undefined}>Back to All Jobs</span>
        </Link>
        {several && <AnalysisSelect key={current?.id} analyses={analyses} current={current} onChoose={choose} />}
        <div className="ml-auto flex shrink-0 items-center gap-1">
          {current && (
            <Button onClick={() => onShare(current)}>
              <Share2 aria-hidden="true" size={14} />
              Share
            </Button>
          )}
          <Link to={paths.shares} className={buttonClasses('quiet', 'max-sm:hidden')}>
            <Link2 aria-hidden="true" size={14} />
            View Shared Links
          </Link>
          {current && (
            <Button variant="danger" className="max-sm:hidden" onClick={() => setDeleting(current)}>
              <Trash2 aria-hidden="true" size={14} />
              Delete Analysis
            </Button>
          )}
          <MenuButton
            label="More about this audit"
            variant="quiet"
            className="px-2 sm:hidden"
            choices={[
              { label: 'View Shared Links', onChoose: () => void navigate(paths.shares) },
              ...(current ? [{ label: 'Delete Analysis', onChoose: () => setDeleting(current) }] : []),
            ]}
          >
            <Ellipsis aria-hidden="true" size={16} />
          </MenuButton>
        </div>
      </div>
      <div role="status">{deleted && <Notice tone="good" title="Analysis deleted successfully" />}</div>
      {deleting && (
        <DeleteAnalysisDialog
          analysis={deleting}
          onClose={() => setDeleting(null)}
          onDeleted={() => {
            setDeleting(null);
            setDeleted(true);
            // The newest remaining audit, or the empty page.
            const next = analyses.find((analysis) => analysis.id !== deleting.id);
            void navigate(next ? pathOf(next) : paths.actions, { replace: true });
          }}
        />
      )}
    </div>
  );
}

const pathOf = ({ jobId, domain }: AnalysisView): string => actionsPath({ id: jobId, host: domain });
