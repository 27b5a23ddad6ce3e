import { Field } from '../../../ui/form/Field.tsx';
import { SelectField } from '../../../ui/form/SelectField.tsx';
import { type BillingAddress, type BillingField, US_STATES } from './billingAddress.ts';

interface AddressFieldsProps {
  address: BillingAddress;
  problems: Partial<Record<BillingField, string>>;
  onChange: (address: BillingAddress) => void;
}

const LINES = [
  ['name', 'Name on card', 'billing name'],
  ['line1', 'Address', 'billing address-line1'],
  ['line2', 'Apartment, suite (optional)', 'billing address-line2'],
  ['city', 'City', 'billing address-level2'],
] as const;

const STATES = [['', 'Choose a state'], ...US_STATES] as const;

/** Name and address in the US. */
export function AddressFields({ address, problems, onChange }: AddressFieldsProps) {
  const set = (field: BillingField, value: string): void => onChange({ ...address, [field]: value });
  return (
    <div className="space-y-3">
      {LINES.map(([field, label, autoComplete]) => (
        <Field
          key={field}
          label={label}
          autoComplete={autoComplete}
          maxLength={200}
          required={field !== 'line2'}
          value={address[field]}
          error={problems[field]}
          quiet
          onChange={(event) => set(field, event.target.value)}
        />
      ))}
      <div className="grid gap-3 sm:grid-cols-2">
        <SelectField
          label="State"
          value={address.state}
          choices={STATES}
          error={problems.state}
          quiet
          onChange={(state) => set('state', state)}
        />
        <Field
          label="ZIP code"
          autoComplete="billing postal-code"
          inputMode="numeric"
          maxLength={10}
          required
          value={address.postal_code}
          error={problems.postal_code}
          quiet
          onChange={(event) => set('postal_code', event.target.value)}
        />
      </div>
      <p className="text-sm text-muted">We bill addresses in the United States only.</p>
    </div>
  );
}
