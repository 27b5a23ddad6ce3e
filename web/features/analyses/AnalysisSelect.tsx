import { useMemo, useRef, useState } from 'react';
import type { AnalysisView } from '../../../src/http/contract/analyses.ts';
import { settingsText } from '../../../src/model/crawlSettings.ts';
import { wholeScore } from '../../../src/model/scores.ts';
import { Button } from '../../ui/Button.tsx';
import { INPUT_CLASSES } from '../../ui/form/Field.tsx';
import { exactTime } from '../../ui/text/time.ts';
import { count, hostWithoutWww } from '../../ui/text/wording.ts';

interface AnalysisSelectProps {
  analyses: readonly AnalysisView[];
  current: AnalysisView | null;
  onChoose: (id: string) => void;
}

/** A choice by pointer opens the audit at once; by keyboard, Enter or the button opens the selected one. */
export function AnalysisSelect({ analyses, current, onChoose }: AnalysisSelectProps) {
  const [value, setValue] = useState(current?.id ?? '');
  const byKeys = useRef(false);
  const repeated = useMemo(() => repeatedIn(analyses.map(minuteOf)), [analyses]);
  return (
    <div className="flex min-w-0 items-center gap-1 max-sm:flex-1 sm:max-w-[32rem]">
      <select
        aria-label="Audit"
        value={value}
        onPointerDown={() => {
          byKeys.current = false;
        }}
        onKeyDown={({ key }) => {
          byKeys.current = true;
          if (key === 'Enter' && value !== '') onChoose(value);
        }}
        onChange={({ target }) => {
          setValue(target.value);
          if (!byKeys.current) onChoose(target.value);
        }}
        className={`${INPUT_CLASSES} h-8 min-w-0 pointer-coarse:h-11`}
      >
        {!current && <option value="">Choose an audit</option>}
        {analyses.map((analysis) => (
          <option key={analysis.id} value={analysis.id}>
            {labelOf(analysis, repeated.has(minuteOf(analysis)))}
          </option>
        ))}
      </select>
      {value !== (current?.id ?? '') && value !== '' && <Button onClick={() => onChoose(value)}>Open</Button>}
    </div>
  );
}

/** `toTheSecond`: needed only where a site was audited twice within a minute. */
function labelOf(analysis: AnalysisView, toTheSecond: boolean): string {
  const { domain, created_at, actions_count, score, not_judged, settings } = analysis;
  const time = exactTime(created_at, toTheSecond ? 'seconds' : 'minutes');
  const judged = score === null ? not_judged && 'not scored' : `score ${wholeScore(score)}`;
  const facts = [
    hostWithoutWww(domain),
    settings && settingsText(settings),
    time,
    judged,
    count(actions_count, 'action'),
  ];
  return facts.filter(Boolean).join(' · ');
}

const minuteOf = ({ domain, created_at }: AnalysisView): string => `${hostWithoutWww(domain)} ${exactTime(created_at)}`;

const repeatedIn = (texts: readonly string[]): ReadonlySet<string> =>
  new Set(texts.filter((text, at) => texts.indexOf(text) !== at));
