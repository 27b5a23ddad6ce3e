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
  risk: 'Google indexes the version that phones get, so text that only desktops get can’t be found in search.',
  steps: [
    'Load the page with the user agent of a phone and compare its text with the desktop version.',
    'Send phones the full text. Sections that open on tap are fine, as long as their text is in the HTML.',
    'Let only the layout depend on the width of the screen.',
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
