/** What became of the emails of a sequence, by template: counted in its read models. */
import type { ReadModels } from '../../readModels/readModels.ts';
import { countEnrolments, countTurnedOff } from './sequenceEnrolments.ts';
import { countSequenceMails, SEQUENCE_MAIL_STATUSES, type SequenceMailStatus } from './sequenceMails.ts';
import { listSequenceTemplates, type SequenceTemplateDocument } from './sequenceTemplates.ts';

/** `turnedOff`: by recipients whose last email it was. */
export type StepCounts = Readonly<Record<SequenceMailStatus | 'turnedOff', number>>;
export type StepFigures = StepCounts &
  Pick<SequenceTemplateDocument, 'templateId' | 'name' | 'stepNumber' | 'isDeleted'>;

export type SequenceFigures = {
  readonly underWay: number;
  readonly finished: number;
  readonly stopped: number;
  /** Also before the first email. */
  readonly turnedOff: number;
  /** In step order, then the deleted templates that have figures. */
  readonly steps: readonly StepFigures[];
  /** Of all steps. */
  readonly total: StepCounts;
};

/** For accounts that still exist. */
export async function sequenceFigures(readModels: ReadModels, sequenceId: string): Promise<SequenceFigures> {
  const [current, deleted, underWay, finished, stopped, turnedOff] = await Promise.all([
    listSequenceTemplates(readModels, sequenceId),
    listSequenceTemplates(readModels, sequenceId, { isDeleted: true }),
    countEnrolments(readModels, { sequenceId, status: 'open' }),
    countEnrolments(readModels, { sequenceId, status: 'finished' }),
    countEnrolments(readModels, { sequenceId, status: 'stopped' }),
    countTurnedOff(readModels, { sequenceId }),
  ]);
  const all = await Promise.all([...current, ...deleted].map((template) => stepFigures(readModels, template)));
  const steps = all.filter((step) => !step.isDeleted || COUNTED.some((each) => step[each] > 0));
  return {
    underWay,
    finished,
    stopped,
    turnedOff,
    steps,
    total: countsOf((each) => steps.reduce((sum, step) => sum + step[each], 0)),
  };
}

const COUNTED = [...SEQUENCE_MAIL_STATUSES, 'turnedOff'] as const;

const countsOf = (count: (of: keyof StepCounts) => number): StepCounts => ({
  waiting: count('waiting'),
  sent: count('sent'),
  failed: count('failed'),
  skipped: count('skipped'),
  stopped: count('stopped'),
  turnedOff: count('turnedOff'),
});

async function stepFigures(
  readModels: ReadModels,
  { sequenceId, templateId, name, stepNumber, isDeleted }: SequenceTemplateDocument,
): Promise<StepFigures> {
  const of = { sequenceId, templateId };
  const counted = await Promise.all(
    COUNTED.map(async (each) => {
      const count =
        each === 'turnedOff' ? countTurnedOff(readModels, of) : countSequenceMails(readModels, { ...of, status: each });
      return [each, await count] as const;
    }),
  );
  const counts = new Map(counted);
  return { templateId, name, stepNumber, isDeleted, ...countsOf((each) => counts.get(each) ?? 0) };
}
