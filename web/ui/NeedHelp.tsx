import { Mail } from 'lucide-react';
import { mailtoOf } from '../../src/model/emailAddress.ts';
import { buttonClasses } from './Button.tsx';
import { Card } from './Card.tsx';

export function NeedHelp({ email }: { email: string }) {
  return (
    <Card title="Need Help?">
      <p className="text-muted">Something wrong with a report? Let us know.</p>
      <a href={mailtoOf(email)} className={buttonClasses('secondary', 'mt-3')}>
        <Mail aria-hidden="true" size={14} />
        Contact support
      </a>
    </Card>
  );
}
