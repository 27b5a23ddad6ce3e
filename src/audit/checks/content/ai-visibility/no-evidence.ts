import { isInContent } from '../../../facts/reading.ts';
import { isComplete, isInformational } from '../../applies.ts';
import { pageCheck } from '../../check.ts';
import { count, plural, seen } from '../../evidence.ts';
import { externalLinks } from '../../lookups/pageLinks.ts';
import { THRESHOLDS } from '../../thresholds.ts';

export const noEvidence = pageCheck({
  id: 'no-evidence',
  title: 'Text has few sources or figures',
  category: 'content',
  group: 'ai-visibility',
  impact: 'medium',
  difficulty: 'medium',
  minutes: 90,
  gain: 'Readers can check your claims, and research suggests that AI answers draw more on texts with sources, quotations, and figures.',
  timeToResult: '4-8 weeks',
  risk: 'The text has few figures, quotations, or links to sources, so readers have to take your word for it. We only counted quotations, numbers, and links to other sites, so judge for yourself whether the page needs more.',
  steps: [
    'Mark the main claims on the page. If it makes none that need proof, leave it as it is.',
    'Back each one with a figure (with its unit and date) or a short quotation, and leave out any figure you can’t trace to a source.',
    'Link to the original source, such as the study, the standard, or the manufacturer.',
    'Read the page once more and make sure every main claim comes with a figure or a quotation and a link to its source.',
  ],
  example: null,
  tags: ['ai', 'citations'],
  source: 'Aggarwal et al., GEO: Generative Engine Optimization, KDD 2024 (https://arxiv.org/abs/2311.09735)',
  hint: true,
  appliesTo: (page, site) => isInformational(page, site, THRESHOLDS.evidenceWords),
  gathered: isComplete,
  run: (page) => {
    const { counts, figures, wordCount } = page.facts;
    const sources = externalLinks(page).filter(isInContent).length;
    // A reference page (options, functions, fields) is a source itself.
    const isReference = counts.definitionLists + counts.tables > 0;
    if (
      isReference ||
      sources >= THRESHOLDS.evidenceLinks ||
      figures >= THRESHOLDS.evidenceFigures ||
      counts.quotes > 0
    )
      return [];
    return [
      {
        evidence: seen(
          page,
          'main',
          `${plural(sources, 'link')} to other sites, ${figures} figures per 500 words, no quotation`,
        ),
        message: `${count(wordCount)} words without a quotation, with ${plural(sources, 'link')} to other sites and hardly a figure: nothing backs what the page says.`,
      },
    ];
  },
});
