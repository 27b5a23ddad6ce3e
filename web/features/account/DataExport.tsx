import { Download } from 'lucide-react';
import { textOf } from '../../api/failure.ts';
import { Button } from '../../ui/Button.tsx';
import { Card } from '../../ui/Card.tsx';
import { saveFile } from '../../ui/saveFile.ts';
import { useExportAccountMutation } from './accountApi.ts';

export function DataExport() {
  const [load, { isLoading, error, reset }] = useExportAccountMutation();
  const save = async (): Promise<void> => {
    const { data } = await load();
    if (!data) return;
    saveFile(`seo-workbench-account-${new Date().toISOString().slice(0, 10)}.json`, `${JSON.stringify(data, null, 2)}\n`);
    // It may be large and is not needed here.
    reset();
  };
  return (
    <Card title="Your data">
      <p className="mb-3">
        Download everything we store about you as one JSON file: account, sessions, activity, audits with their files and action items, links, keys, webhooks
        and bills.
      </p>
      <Button busy={isLoading} onClick={() => void save()}>
        <Download aria-hidden="true" size={14} />
        Export my data
      </Button>
      {error && (
        <p role="alert" className="mt-2 text-sm text-bad">
          {textOf(error, 'Failed to export your data')}
        </p>
      )}
    </Card>
  );
}
