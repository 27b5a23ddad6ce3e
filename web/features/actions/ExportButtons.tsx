import { ChevronDown, Download, Ellipsis } from 'lucide-react';
import { Button } from '../../ui/Button.tsx';
import { MenuButton } from '../../ui/overlay/MenuButton.tsx';
import type { MenuChoice } from '../../ui/overlay/menuChoice.ts';
import { saveFile } from '../../ui/saveFile.ts';
import { exportMarkdown, exportName } from './exportMarkdown.ts';
import type { ActionItem } from './item/actionItem.ts';
import type { ActionWork } from './work.ts';

interface ExportButtonsProps {
  items: readonly ActionItem[];
  site: string;
  work: ActionWork;
}

/** Item exports: markdown first, the rest in a menu. On a phone one menu has them all. */
export function ExportButtons({ items, site, work }: ExportButtonsProps) {
  const markdown = (): void => {
    try {
      const date = new Date().toISOString().slice(0, 10);
      saveFile(exportName(site, date), exportMarkdown(items, site, date));
    } catch {
      work.exportFailed();
    }
  };
  const others: readonly MenuChoice[] = [
    { label: 'Export CSV', onChoose: () => void work.exportData('csv') },
    { label: 'Export JSON', onChoose: () => void work.exportData('json') },
    // After the menu has closed.
    { label: 'Print', onChoose: () => setTimeout(() => window.print()) },
  ];
  return (
    <>
      <div className="flex max-sm:hidden">
        <Button className="rounded-r-none" onClick={markdown}>
          <Download aria-hidden="true" size={14} />
          Export MD
        </Button>
        <MenuButton label="More ways to export" className="-ml-px rounded-l-none px-1.5" choices={others}>
          <ChevronDown aria-hidden="true" size={14} />
        </MenuButton>
      </div>
      <MenuButton
        label="Refresh and export"
        className="px-2 sm:hidden"
        choices={[{ label: 'Refresh', onChoose: work.refresh }, { label: 'Export MD', onChoose: markdown }, ...others]}
      >
        <Ellipsis aria-hidden="true" size={16} />
      </MenuButton>
    </>
  );
}
