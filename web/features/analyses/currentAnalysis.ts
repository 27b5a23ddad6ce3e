import type { AnalysisView } from '../../../src/http/contract/analyses.ts';
import { hostWithoutWww } from '../../ui/text/wording.ts';

/** The audit that the address names. The same choice as the server's: by job, by site (and time), or the newest. */
export function currentOf(analyses: readonly AnalysisView[], search: URLSearchParams): AnalysisView | null {
  const [jobId, domain, timestamp] = [search.get('jobId'), search.get('domain'), search.get('timestamp')];
  if (jobId) return analyses.find((analysis) => analysis.jobId === jobId) ?? null;
  if (!domain) return analyses[0] ?? null;
  const host = hostWithoutWww(domain);
  return (
    analyses.find(
      (each) => hostWithoutWww(each.domain) === host && (!timestamp || each.analysis_timestamp === timestamp),
    ) ?? null
  );
}
