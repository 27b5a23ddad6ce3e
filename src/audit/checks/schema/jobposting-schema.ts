import { excerpt } from '../../excerpt.ts';
import { htmlPage } from '../applies.ts';
import { type Fault, pageCheck } from '../check.ts';
import { seen } from '../evidence.ts';
import { schemaExample } from '../schemaOrg/schemaExample.ts';
import { describedNodes, faultsOfType } from '../schemaOrg/schemaFaults.ts';
import { has, isTypeReadable, namesType, textOf } from '../schemaOrg/schemaNodes.ts';

export const jobpostingSchema = pageCheck({
  id: 'jobposting-schema',
  title: 'Job posting markup is incomplete or expired',
  category: 'schema',
  group: 'job',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 30,
  gain: 'Your open jobs can appear in Google’s job search.',
  timeToResult: '1-3 weeks',
  risk: 'Google can’t list the job as it is. If its markup is incomplete, Google leaves it out of its job search. If the job has expired but is still marked up, that can lead to a manual action (a penalty).',
  steps: [
    'If the job is filled, close it in your job plugin, remove the markup from this page only (not from a template that other jobs use), or delete the page so that its URL returns a 404 or 410 status. If it’s still open but past its `validThrough` date, enter a new date.',
    'If the job is open, add the properties that this report lists to the JobPosting markup (JSON-LD) in your job plugin, or have the template print each job’s own values. `title`, `description`, `datePosted`, and `hiringOrganization` are required, and so is `jobLocation` with its `address`, unless the job is fully remote.',
    'If the job is fully remote, set `jobLocationType` to `TELECOMMUTE` instead and name the countries where applicants may live in `applicantLocationRequirements`.',
    'Run the page through Google’s Rich Results Test and make sure it detects the job and reports no errors. If you removed the markup, make sure it detects no job. If you deleted the page, make sure its URL shows an error.',
  ],
  example: schemaExample({
    '@type': 'JobPosting',
    title: 'YOUR JOB TITLE',
    description: 'YOUR JOB DESCRIPTION',
    datePosted: 'YOUR POSTING DATE',
    validThrough: 'YOUR CLOSING DATE',
    hiringOrganization: { '@type': 'Organization', name: 'YOUR COMPANY NAME', url: 'YOUR COMPANY SITE ADDRESS' },
    jobLocation: {
      '@type': 'Place',
      address: {
        '@type': 'PostalAddress',
        streetAddress: 'YOUR STREET ADDRESS',
        addressLocality: 'YOUR CITY',
        postalCode: 'YOUR POSTAL CODE',
        addressCountry: 'YOUR COUNTRY CODE',
      },
    },
  }),
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
