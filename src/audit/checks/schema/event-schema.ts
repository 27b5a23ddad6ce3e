import { htmlPage } from '../applies.ts';
import { pageCheck } from '../check.ts';
import { schemaExample } from '../schemaOrg/schemaExample.ts';
import { describedNodes, faultsOfNode } from '../schemaOrg/schemaFaults.ts';
import { isOwn, isTypeReadable, namesType } from '../schemaOrg/schemaNodes.ts';

export const eventSchema = pageCheck({
  id: 'event-schema',
  title: 'Event markup is incomplete',
  category: 'schema',
  group: 'event',
  impact: 'medium',
  difficulty: 'easy',
  minutes: 30,
  gain: 'The event can appear in Google’s event results with its date and place.',
  timeToResult: '1-4 weeks',
  risk: 'The event’s markup is missing some properties or has unreadable dates. Google leaves an event out of its event results when the name, the start date, or the location is missing or unreadable.',
  steps: [
    'In your event plugin or in the template, add the properties that this report lists for the page to the Event markup (JSON-LD).',
    'Always include `name`, `startDate`, and a `location` with an `address`. If the event is online only, make the `location` a `VirtualLocation` with a `url`, but don’t expect an event result: Google shows only events at a physical place.',
    'Write `startDate` and `endDate` like `2030-05-01T19:30-05:00`, where `-05:00` is the time zone.',
    'Add `image`, `offers`, and `endDate` if the page shows them. Set `eventStatus` to scheduled, postponed, or canceled, such as `EventScheduled`.',
    'Run the page through Google’s Rich Results Test and make sure it detects the event and reports no errors.',
  ],
  // No code is written: the markup needs times and places that the page may not state.
  example: schemaExample({
    '@type': 'Event',
    name: 'YOUR EVENT NAME',
    startDate: 'YOUR START DATE AND TIME',
    endDate: 'YOUR END DATE AND TIME',
    eventStatus: 'https://schema.org/EventScheduled',
    image: ['YOUR IMAGE ADDRESS'],
    location: {
      '@type': 'Place',
      name: 'YOUR VENUE NAME',
      address: {
        '@type': 'PostalAddress',
        streetAddress: 'YOUR STREET ADDRESS',
        addressLocality: 'YOUR CITY',
        postalCode: 'YOUR POSTAL CODE',
        addressCountry: 'YOUR COUNTRY CODE',
      },
    },
  }),
  tags: ['schema', 'event'],
  source:
    'Google Search Central: Event structured data (https://developers.google.com/search/docs/appearance/structured-data/event)',
  appliesTo: (page) => htmlPage(page) && namesType(page.facts, 'Event'),
  gathered: (page) => isTypeReadable(page.facts, 'Event'),
  run: (page) =>
    describedNodes(page, 'Event')
      .filter(isOwn)
      .flatMap((placed) => faultsOfNode(page, placed, 'Event', 'event')),
});
