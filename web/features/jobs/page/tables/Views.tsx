import { Bookmark, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { Button } from '../../../../ui/Button.tsx';
import { Field } from '../../../../ui/form/Field.tsx';
import { Dialog } from '../../../../ui/overlay/Dialog.tsx';
import { MenuButton } from '../../../../ui/overlay/MenuButton.tsx';
import { removeView, type SavedView, savedViews, saveView } from './kept.ts';
import { ToolName } from './TableFrame.tsx';

/** Longer names would not fit the menu. */
const MOST = 60;

/** Saved views: filters, columns, and order by name. `query`: of the current view. */
export function Views({ query }: { query: string }) {
  const navigate = useNavigate();
  const [views, setViews] = useState(savedViews);
  const [open, setOpen] = useState(false);
  return (
    <>
      <MenuButton
        label="Views"
        variant="quiet"
        choices={[
          ...views.map((view) => ({
            label: view.name,
            onChoose: () => navigate({ search: `?tab=pages&${view.query}` }),
          })),
          { label: views.length > 0 ? 'Save or remove views …' : 'Save this view …', onChoose: () => setOpen(true) },
        ]}
      >
        <Bookmark aria-hidden="true" size={14} />
        <ToolName>Views</ToolName>
      </MenuButton>
      {open && <ViewsDialog query={query} views={views} onChange={setViews} onClose={() => setOpen(false)} />}
    </>
  );
}

interface ViewsDialogProps {
  query: string;
  views: readonly SavedView[];
  onChange: (views: readonly SavedView[]) => void;
  onClose: () => void;
}

function ViewsDialog({ query, views, onChange, onClose }: ViewsDialogProps) {
  const [name, setName] = useState('');
  const [missing, setMissing] = useState(false);
  return (
    <Dialog fills title="Saved views" onClose={onClose}>
      <form
        noValidate
        className="flex items-end gap-2"
        onSubmit={(event) => {
          event.preventDefault();
          setMissing(name.trim() === '');
          if (name.trim() === '') return;
          onChange(saveView({ name: name.trim(), query }));
          onClose();
        }}
      >
        <Field
          label="Name of this view"
          autoComplete="off"
          maxLength={MOST}
          value={name}
          error={missing ? 'Give it a name.' : null}
          onChange={({ target }) => setName(target.value)}
          className="min-w-0 flex-1"
        />
        <Button variant="primary" type="submit">
          Save
        </Button>
      </form>
      <p className="mt-2 text-sm text-muted">Filters, columns and order, saved in this browser for all audits.</p>
      {views.length > 0 && (
        <ul aria-label="Saved views" className="mt-4">
          {views.map((view) => (
            <li key={view.name} className="flex items-center justify-between gap-2 border-t border-line py-1">
              <span className="min-w-0 wrap-anywhere">{view.name}</span>
              <Button
                variant="quiet"
                aria-label={`Remove ${view.name}`}
                onClick={() => onChange(removeView(view.name))}
              >
                <Trash2 aria-hidden="true" size={14} />
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Dialog>
  );
}
