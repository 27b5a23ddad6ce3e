import { useState } from 'react';
import { useSelector } from 'react-redux';
import { Link } from 'react-router-dom';
import type { SampleView } from '../../../src/http/contract/sample.ts';
import { ActionsDashboard } from '../../features/actions/ActionsDashboard.tsx';
import { selectUser } from '../../features/auth/authSlice.ts';
import { useSample } from '../../features/sample/useSample.ts';
import { buttonClasses } from '../../ui/Button.tsx';
import { ErrorPanel } from '../../ui/ErrorPanel.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { usePageTitle } from '../../ui/pageTitle.ts';
import { paths } from '../../ui/paths.ts';
import { ScoreRing } from '../../ui/ScoreRing.tsx';
import { Loading } from '../../ui/Spinner.tsx';
import { Tabs } from '../../ui/Tabs.tsx';
import { Markdown } from '../../ui/text/Markdown.tsx';
import { count } from '../../ui/text/wording.ts';

const TABS = [
  { value: 'actions', label: 'Action items' },
  { value: 'report', label: 'Report' },
] as const;

/** /sample: a sample audit for visitors without an account. */
export function SamplePage() {
  usePageTitle('Sample report');
  const { sample, failure, retry } = useSample();
  return (
    <div className="space-y-4">
      <h1 className="text-2xl">Sample report</h1>
      {sample ? (
        <Sample sample={sample} />
      ) : failure ? (
        <ErrorPanel
          title="Couldn’t load the sample report"
          text={failure.message || 'The server sent an unexpected response.'}
          onRetry={retry}
        />
      ) : (
        <Loading label="Loading the sample report" />
      )}
    </div>
  );
}

function Sample({ sample }: { sample: SampleView }) {
  const [tab, setTab] = useState('actions');
  const visitor = useSelector(selectUser) === null;
  const host = new URL(sample.site).host;
  return (
    <>
      <Notice tone="info">
        <p>
          A real audit of our demo shop, which has deliberate problems. Its name,{' '}
          <span className="font-mono text-sm">{host}</span>, is a placeholder. If you audit it yourself, it scores
          higher: it then has a local address, which needs no HTTPS.
        </p>
      </Notice>
      <header className="flex flex-wrap items-center gap-4">
        <ScoreRing word score={sample.score} size={72} />
        <div className="min-w-0 flex-1 basis-48">
          <p className="text-lg font-semibold text-strong">{host}</p>
          <p className="text-muted">
            {count(sample.pages, 'page')}, {count(sample.findings, 'finding')},{' '}
            {count(sample.actions.length, 'action item')}
          </p>
        </div>
        {visitor && (
          <Link to={paths.signup} className={buttonClasses('primary')}>
            Audit your own site
          </Link>
        )}
      </header>
      <Tabs label="Parts of the sample" value={tab} choices={TABS} onChange={setTab} panelClassName="mt-4">
        {tab === 'actions' ? (
          <ActionsDashboard
            mode="shared"
            actions={sample.actions}
            executiveSummary={sample.summary}
            isPreview={false}
            totalActions={sample.actions.length}
            site={host}
            analyst={sample.analyst}
          />
        ) : (
          <>
            <h2 className="sr-only">Report</h2>
            <Markdown text={sample.report} />
          </>
        )}
      </Tabs>
    </>
  );
}
