import { ChevronDown, Download } from 'lucide-react';
import { Button } from '../../ui/Button.tsx';
import { MenuButton } from '../../ui/MenuButton.tsx';
import { saveFile } from '../../ui/saveFile.ts';
import { useToasts } from '../../ui/Toasts.tsx';
import type { ActionItem } from './actionItem.ts';
import { useExportActionsMutation } from './actionsApi.ts';
import { exportMarkdown, exportName } from './exportMarkdown.ts';

/** The items to take away: markdown first, the rest in a menu. */
export function ExportButtons({ items, site, jobId }: { items: readonly ActionItem[]; site: string; jobId: string }) {
  const toast = useToasts();
  const [exportActions, { isLoading }] = useExportActionsMutation();
  const failed = (): void => toast('failure', { text: 'Failed to export actions. Please try again.', bad: true });
  const markdown = (): void => {
    try {
      const date = new Date().toISOString().slice(0, 10);
      saveFile(exportName(site, date), exportMarkdown(items, site, date));
    } catch {
      failed();
    }
  };
  const data = (format: 'csv' | 'json') => async (): Promise<void> => {
    try {
      const { data: file } = await exportActions({ jobId, format }).unwrap();
      saveFile(file.name, file.content);
    } catch {
      failed();
    }
  };
  return (
    <div className="flex">
      <Button className="rounded-r-none" onClick={markdown}>
        <Download aria-hidden="true" size={14} />
        Export MD
      </Button>
      <MenuButton
        label="More ways to export"
        className="-ml-px rounded-l-none px-1.5"
        choices={[
          { label: 'Export CSV', disabled: isLoading, onChoose: () => void data('csv')() },
          { label: 'Export JSON', disabled: isLoading, onChoose: () => void data('json')() },
          { label: 'Print', onChoose: () => setTimeout(() => window.print()) },
        ]}
      >
        <ChevronDown aria-hidden="true" size={14} />
      </MenuButton>
    </div>
  );
}
