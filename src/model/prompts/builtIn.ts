/** The prompts as delivered. */
import type { Prompt, PromptKey } from './prompt.ts';

const SEO_ANALYSIS: Prompt = {
  key: 'seo_analysis',
  name: 'Analysis',
  description:
    'The analysis section of the report: what the findings say about the site as a whole, and what matters most.',
  category: 'seo_analysis',
  version: 1,
  variables: [
    { name: 'max_paragraphs', description: 'Paragraphs of the overview, at most.' },
    { name: 'max_priorities', description: 'Causes among the priorities, at most.' },
  ],
  content: `Write the analysis for the report.
"overview": up to {{max_paragraphs}} paragraphs on what the results say about the site as a whole and why it matters for its visitors and in search; each paragraph is one entry, with "findingIds", the findings it speaks of, and its "text".
"priorities": up to {{max_priorities}} causes, the most important first, each with the ids of its findings and, as "text", two to four sentences on why it matters here and what to do.`,
};

const SEO_ACTIONS: Prompt = {
  key: 'seo_actions',
  name: 'Action items',
  description: 'The action items: one for each cause, worded for the person who fixes it.',
  category: 'seo_actions',
  version: 1,
  variables: [{ name: 'max_merged', description: 'Causes that may be put together into one item, at most.' }],
  content: `Write the action items. One item for each cause; put up to {{max_merged}} causes together only when one change fixes them and they have the same category and impact. Order them by value for effort.
Each item: "findingIds" with ids of the findings it fixes, "title" (a short instruction), "problem" (what is wrong on this site and what it costs), "solution" (concrete steps).`,
};

const SUMMARY: Prompt = {
  key: 'summary',
  name: 'Executive summary',
  description: 'The executive summary, for a reader who is not technical.',
  category: 'summary',
  version: 1,
  variables: [{ name: 'max_points', description: 'Actions that the summary tells of, at most.' }],
  content: `Write for the executive summary, for a reader who is not technical.
"opening": one paragraph on where the site stands, as "text", with "actionIds", the actions it speaks of.
"points": for up to {{max_points}} actions in the data their "actionId" and, as "text", two or three sentences on what it brings the business.`,
};

export const BUILT_IN_PROMPTS: Readonly<Record<PromptKey, Prompt>> = {
  seo_analysis: SEO_ANALYSIS,
  seo_actions: SEO_ACTIONS,
  summary: SUMMARY,
};
