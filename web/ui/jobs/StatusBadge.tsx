import { Check, Hourglass, X } from 'lucide-react';
import { groupOf, type JobStatus } from '../../../src/model/jobs.ts';
import { Badge } from '../Badge.tsx';
import type { Tone } from '../Notice.tsx';
import { statusLabel } from './jobStatus.ts';

/** A check, cross or hourglass beside the word, so that color is never the only cue. */
export function StatusBadge({ status }: { status: JobStatus }) {
  const group = groupOf(status);
  const Icon = group === 'completed' ? Check : group === 'failed' ? X : Hourglass;
  const tone: Tone =
    group === 'failed' ? 'bad' : group === 'processing' ? 'info' : status === 'completed' ? 'good' : 'attention';
  return (
    <Badge tone={tone}>
      <Icon aria-hidden="true" size={12} strokeWidth={2.5} />
      {statusLabel(status)}
    </Badge>
  );
}
