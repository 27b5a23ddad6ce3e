/**
 * Which events are part of the cause chain: all except those that never cause anything and do not themselves explain
 * why something happened. The excluded ones make up most of the log, by number or size, which keeps the chain cheap.
 */
const PROGRESS = 'Progress of what its other events begin and end.';
const CONTENT = 'Content in parts; the events of its job record that it was written.';
const ASKED = 'What a text took; the event written with it records the text.';
const COUNTED = 'Uses, visits and tries, added up from time to time.';

/** Excluded types, and why. */
export const EVENTS_WITHOUT_CAUSES = {
  JobStepStarted: PROGRESS,
  JobStepEnded: PROGRESS,
  JobProgressed: PROGRESS,
  ModelAsked: ASKED,
  ReworkModelAsked: ASKED,
  AccountExportStarted: PROGRESS,
  AccountExportProgressed: PROGRESS,
  AccountExportPartWritten: 'Content in parts; the events of its export record that it was written.',
  ReworkStarted: PROGRESS,
  WebhookTryStarted: PROGRESS,
  SequenceMailStarted: PROGRESS,
  SessionRefreshed: PROGRESS,
  SecondFactorPassed: 'The session that it opens records it.',
  PasskeyUsed: 'The session that it opens records it.',
  IdentityUsed: 'The session that it opens records it.',
  ReportPartWritten: CONTENT,
  ReportRowsWritten: CONTENT,
  PageRecordsWritten: CONTENT,
  CrawlPartRecorded: CONTENT,
  PlanExtended: CONTENT,
  ApiKeyUsed: COUNTED,
  ShareViewed: COUNTED,
  SharePreviewViewed: COUNTED,
  ShareSignUpClicked: COUNTED,
  ShareSignedUp: COUNTED,
  RequestAccepted: 'Kept for repeats of the request, for thirty days; what the request led to names it anyway.',
  RequestAnswered: 'Kept for repeats of the request, for thirty days; what the request led to names it anyway.',
  SubscriptionSynced: 'What it found new has events of its own.',
  AdminLooked: 'Nothing changes by it.',
  EventsExported: 'Nothing changes by it.',
  SubmissionsRefused: COUNTED,
  CheckoutsOpened: COUNTED,
  CheckoutsLeft: COUNTED,
  CodesTried: COUNTED,
  LogInsRefused: COUNTED,
  TalliesSummed: COUNTED,
} as const satisfies Readonly<Record<string, string>>;

/** Whether causes and consequences of this event type can be looked up. */
export const hasCauses = (type: string): boolean => !Object.hasOwn(EVENTS_WITHOUT_CAUSES, type);
