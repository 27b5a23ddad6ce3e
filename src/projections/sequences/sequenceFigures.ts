/** What became of the emails of a sequence, by template. */
import type { ReadModels } from '../../readModels/readModels.ts';
import {
  countEnrolments,
  countSequenceMails,
  countTurnedOff,
  SEQUENCE_MAIL_STATUSES,
  type SequenceMailStatus,
} from './sequenceRecipients.ts';
import { deletedTemplatesOf, type SequenceDocument, type SequenceTemplateDocument, templatesOf } from './sequences.ts';

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
export async function sequenceFigures(readModels: ReadModels, sequence: SequenceDocument): Promise<SequenceFigures> {
  const { sequenceId } = sequence;
  const [underWay, finished, stopped, turnedOff] = await Promise.all([
    countEnrolments(readModels, { sequenceId, status: 'open' }),
    countEnrolments(readModels, { sequenceId, status: 'finished' }),
    countEnrolments(readModels, { sequenceId, status: 'stopped' }),
    countTurnedOff(readModels, { sequenceId }),
  ]);
  const templates = [...templatesOf(sequence), ...deletedTemplatesOf(sequence)];
  const all = await Promise.all(templates.map((template) => stepFigures(readModels, template)));
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
