import { excerpt } from '../../excerpt.ts';
import { htmlPage } from '../applies.ts';
import { type Fault, pageCheck } from '../check.ts';
import { seen } from '../evidence.ts';
import { describedNodes, faultsOfType } from '../schemaOrg/schemaFaults.ts';
import { has, isTypeReadable, namesType, textOf } from '../schemaOrg/schemaNodes.ts';

export const jobpostingSchema = pageCheck({
  id: 'jobposting-schema',
  title: 'Job data is incomplete',
  category: 'schema',
  group: 'job',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 30,
  gain: 'Vacancies show in job search.',
  timeToResult: '1-3 weeks',
  risk: 'Incomplete or expired jobs are removed.',
  steps: ['Fill the fields and remove expired jobs.'],
  example: null,
  tags: ['schema', 'job'],
  source:
    'Google Search Central: JobPosting structured data (https://developers.google.com/search/docs/appearance/structured-data/job-posting)',
  appliesTo: (page) => htmlPage(page) && namesType(page.facts, 'JobPosting'),
  gathered: (page) => isTypeReadable(page.facts, 'JobPosting'),
  run: (page, site) => [
    ...faultsOfType(page, 'JobPosting', 'job'),
    ...describedNodes(page, 'JobPosting').flatMap(({ node, selector }): Fault[] => {
      const title = excerpt(textOf(node, 'title') ?? 'job', 80);
      const faults: Fault[] = [];
      const ends = textOf(node, 'validThrough');
      if (ends !== null && Date.parse(ends) < Date.parse(site.coverage.startedAt))
        faults.push({
          evidence: seen(page, `${selector} JobPosting.validThrough`, ends),
          message: `The job "${title}" expired on ${ends.slice(0, 10)}, but is still marked up.`,
        });
      // Without a location, the markup must say that the job is remote and where applicants may live.
      const isRemote = textOf(node, 'jobLocationType') === 'TELECOMMUTE' && has(node, 'applicantLocationRequirements');
      if (has(node, 'jobLocationType') && !has(node, 'jobLocation') && !isRemote)
        faults.push({
          evidence: seen(page, `${selector} JobPosting.jobLocationType`, textOf(node, 'jobLocationType') ?? ''),
          message: `The job "${title}" has no location: remote work needs jobLocationType TELECOMMUTE and applicantLocationRequirements.`,
        });
      return faults;
    }),
  ],
});
