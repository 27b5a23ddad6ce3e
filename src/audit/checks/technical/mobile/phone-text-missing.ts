import { pageCheck } from '../../check.ts';
import { count, plural, seen } from '../../evidence.ts';
import { comparedOnPhone, PHONE_CHECK, seenOn, textOnPhone } from '../../lookups/otherAgents.ts';

export const phoneTextMissing = pageCheck({
  ...PHONE_CHECK,
  id: 'phone-text-missing',
  title: 'Phones get less than half of the text',
  impact: 'high',
  difficulty: 'hard',
  minutes: 120,
  gain: 'The page can be found for everything it says.',
  risk: 'Phones get less than half of the text that desktops get on this page. Google indexes the version for phones, so the rest can’t be found in search.',
  steps: [
    'In your browser’s developer tools, switch to a phone in the device toolbar, reload the page, and compare its text with the desktop version.',
    'In your mobile theme or the template, send phones the full text. Sections that open on tap are fine, as long as their text is in the HTML.',
    'Let only the layout depend on the width of the screen, with CSS.',
    'To check, reload the page as a phone and search the Elements tab for a sentence that was missing: it’s there.',
  ],
  tags: ['mobile', 'content'],
  run: (page, site) => {
    const compared = comparedOnPhone(page, site);
    if (compared === null) return [];
    const { isShort, of, got } = textOnPhone(compared);
    if (!isShort) return [];
    return [
      {
        evidence: seen(page, 'text for phones', `${count(got)} of ${plural(of, 'word')}`),
        message: `Phones get ${plural(got, 'word')} of text where desktops get ${count(of)}${seenOn(page, compared)}. Google lists what phones get.`,
      },
    ];
  },
});
