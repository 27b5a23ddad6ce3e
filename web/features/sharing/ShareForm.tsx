import { type FormEvent, type ReactNode, useId, useState } from 'react';
import { useSelector } from 'react-redux';
import type { SharedPart, ShareMode } from '../../../src/http/contract/share.ts';
import type { JobAccess } from '../../../src/model/jobs.ts';
import { SHARE_DESCRIPTION_MAX_LENGTH, SHARE_TITLE_MAX_LENGTH } from '../../../src/model/limits.ts';
import { SHARED_PARTS } from '../../../src/model/shares.ts';
import { asFailure } from '../../api/failure.ts';
import { selectStatus, selectUnlimited } from '../../api/system.ts';
import { Button } from '../../ui/Button.tsx';
import { Field, INPUT_CLASSES } from '../../ui/form/Field.tsx';
import { RefusalHelp } from '../../ui/form/RefusalHelp.tsx';
import { Notice } from '../../ui/Notice.tsx';
import { EXPIRY_CHOICES, PART_NAMES } from './shareWording.ts';
import { useCreateShareMutation } from './sharingApi.ts';

const JOB_REQUIRED = 'Job ID is required to create a share link';
/** For a preview made before the user had a plan. */
const UNLOCK_FIRST = 'Unlock this audit to share all of it.';
const UPGRADE = 'Please upgrade to a paid plan for full access sharing.';
const FALLBACK = 'Failed to create share link';

const PART_HINTS: Readonly<Record<SharedPart, string>> = {
  actions: 'Fixes with steps and affected pages',
  executive_summary: 'One-page overview; names the site',
  job_metadata: 'Site, dates and score',
};

interface ShareFormProps {
  jobId: string | null;
  host: string;
  access: JobAccess;
  onCreated: (shareUrl: string) => void;
}

export function ShareForm({ jobId, host, access, onCreated }: ShareFormProps) {
  const [ownTitle, setTitle] = useState<string | null>(null);
  const [description, setDescription] = useState('');
  const [parts, setParts] = useState<readonly SharedPart[]>(SHARED_PARTS);
  const [mode, setMode] = useState<ShareMode>(access);
  const [expiresIn, setExpiresIn] = useState<(typeof EXPIRY_CHOICES)[number][0]>(0);
  const [unnamed, setUnnamed] = useState(false);
  const [create, { isLoading, error }] = useCreateShareMutation();
  const unlimited = useSelector(selectUnlimited);
  const canUnlock = useSelector(selectStatus)?.payments !== 'off' || unlimited;
  const title = ownTitle ?? (parts.includes('job_metadata') ? `SEO analysis of ${host}` : 'SEO analysis');
  const expiryId = useId();
  const descriptionId = useId();

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    setUnnamed(!jobId);
    if (!jobId || isLoading) return;
    const { data } = await create({
      jobId,
      title,
      description,
      sharedContent: [...parts],
      shareMode: mode,
      expiresIn: expiresIn || null,
    });
    if (data) onCreated(data.shareUrl);
  };
  const toggle = (part: SharedPart): void =>
    setParts(SHARED_PARTS.filter((each) => (each === part) !== parts.includes(each)));

  return (
    <form onSubmit={(event) => void submit(event)} className="space-y-4">
      <Field
        label="Title"
        value={title}
        maxLength={SHARE_TITLE_MAX_LENGTH}
        onChange={(event) => setTitle(event.target.value)}
      />
      <div>
        <label htmlFor={descriptionId} className="mb-1 block text-sm font-medium text-strong">
          Description <span className="font-normal text-muted">(optional)</span>
        </label>
        <textarea
          id={descriptionId}
          value={description}
          maxLength={SHARE_DESCRIPTION_MAX_LENGTH}
          rows={2}
          onChange={(event) => setDescription(event.target.value)}
          className={`${INPUT_CLASSES} py-1.5`}
        />
      </div>
      <Group legend="Content to share">
        {SHARED_PARTS.map((part) => (
          <Choice
            key={part}
            type="checkbox"
            name={PART_NAMES[part]}
            hint={PART_HINTS[part]}
            checked={parts.includes(part)}
            onChange={() => toggle(part)}
          />
        ))}
        <Choice type="checkbox" name="Progress tracking" hint="Coming soon" checked={false} disabled />
      </Group>
      {!(unlimited && access === 'full') && (
        <Access {...{ access, mode, setMode }} hint={canUnlock ? UNLOCK_FIRST : 'Not part of the free plan'} />
      )}
      <div>
        <label htmlFor={expiryId} className="mb-1 block text-sm font-medium text-strong">
          Link expires
        </label>
        <select
          id={expiryId}
          value={expiresIn}
          onChange={(event) =>
            setExpiresIn(EXPIRY_CHOICES.find(([hours]) => String(hours) === event.target.value)?.[0] ?? 0)
          }
          className={`${INPUT_CLASSES} h-9 pointer-coarse:h-11`}
        >
          {EXPIRY_CHOICES.map(([hours, name]) => (
            <option key={hours} value={hours}>
              {name}
            </option>
          ))}
        </select>
      </div>
      {unnamed ? <Notice tone="bad" title={JOB_REQUIRED} /> : <Refusal error={error} />}
      <Button type="submit" variant="primary" busy={isLoading} disabled={parts.length === 0} className="w-full">
        {isLoading ? 'Creating…' : 'Create share link'}
      </Button>
    </form>
  );
}

interface AccessProps {
  access: JobAccess;
  mode: ShareMode;
  setMode: (mode: ShareMode) => void;
  /** Why full access is unavailable. */
  hint: string;
}

function Access({ access, mode, setMode, hint }: AccessProps) {
  return (
    <Group legend="Access">
      <Choice
        type="radio"
        name="Full access"
        hint={access === 'full' ? 'Everything you see' : hint}
        checked={mode === 'full'}
        disabled={access !== 'full'}
        onChange={() => setMode('full')}
      />
      <Choice
        type="radio"
        name="Preview"
        hint="The first 8 action items"
        checked={mode === 'preview'}
        onChange={() => setMode('preview')}
      />
    </Group>
  );
}

function Refusal({ error }: { error: unknown }) {
  if (!error) return null;
  const { code, message } = asFailure(error);
  if (code === 'SHARING_RESTRICTED') {
    return (
      <Notice tone="bad">
        <p>
          {message} {message === UNLOCK_FIRST ? '' : UPGRADE}
        </p>
      </Notice>
    );
  }
  return (
    <Notice tone="bad" title={FALLBACK}>
      {message && <p>{message}</p>}
      <RefusalHelp code={code} />
    </Notice>
  );
}

function Group({ legend, children }: { legend: string; children: ReactNode }) {
  return (
    <fieldset>
      <legend className="mb-1 text-sm font-medium text-strong">{legend}</legend>
      {children}
    </fieldset>
  );
}

interface ChoiceProps {
  type: 'checkbox' | 'radio';
  name: string;
  hint: string;
  checked: boolean;
  disabled?: boolean;
  onChange?: () => void;
}

function Choice({ type, name, hint, checked, disabled = false, onChange = () => undefined }: ChoiceProps) {
  return (
    <label
      className={`flex min-h-8 items-center gap-2 pointer-coarse:min-h-11 ${disabled ? 'text-muted' : 'cursor-pointer'}`}
    >
      <input
        type={type}
        checked={checked}
        disabled={disabled}
        onChange={onChange}
        className="size-4 shrink-0 accent-(--color-accent)"
      />
      <span>
        <span className={disabled ? '' : 'text-strong'}>{name}</span> <span className="text-sm text-muted">{hint}</span>
      </span>
    </label>
  );
}
