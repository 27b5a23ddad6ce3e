import { ChevronDown, Download } from 'lucide-react';
import { Button } from '../../ui/Button.tsx';
import { MenuButton } from '../../ui/MenuButton.tsx';
import { saveFile } from '../../ui/saveFile.ts';
import type { ActionItem } from './actionItem.ts';
import { exportMarkdown, exportName } from './exportMarkdown.ts';
import type { ActionWork } from './work.ts';

/** The items to take away: markdown first, the rest in a menu. */
export function ExportButtons({ items, site, work }: { items: readonly ActionItem[]; site: string; work: ActionWork }) {
  const markdown = (): void => {
    try {
      const date = new Date().toISOString().slice(0, 10);
      saveFile(exportName(site, date), exportMarkdown(items, site, date));
    } catch {
      work.exportFailed();
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
          { label: 'Export CSV', onChoose: () => void work.exportData('csv') },
          { label: 'Export JSON', onChoose: () => void work.exportData('json') },
          // After the menu has gone from the page.
          { label: 'Print', onChoose: () => setTimeout(() => window.print()) },
        ]}
      >
        <ChevronDown aria-hidden="true" size={14} />
      </MenuButton>
    </div>
  );
}
