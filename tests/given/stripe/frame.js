/** Runs in a frame of the provider: values go only to the script. Served inside a function with `type`. */
/* global type */
const inputs = [...document.querySelectorAll('input')];
const known = JSON.parse(decodeURIComponent(location.hash.slice(1)));
for (const input of inputs) input.value = known[input.name] ?? '';

/** Saved cards come first, the newest of them chosen; the fields are for another card. */
const saved = known.saved ?? [];
const radios = [...saved, ...(saved.length > 0 ? [{ id: '', name: 'New card' }] : [])].map(({ id, name }, index) => {
  const label = document.createElement('label');
  const radio = Object.assign(document.createElement('input'), {
    type: 'radio',
    name: 'saved',
    value: id,
    checked: index === 0,
  });
  label.append(radio, name);
  return { label, radio };
});
document.body.prepend(...radios.map(({ label }) => label));

function report(event) {
  const chosen = radios.find(({ radio }) => radio.checked)?.radio.value || null;
  for (const input of inputs) input.parentElement.hidden = chosen !== null;
  const values = Object.fromEntries(inputs.map(({ name, value }) => [name, value]));
  const complete = chosen !== null || inputs.every(({ value }) => value !== '');
  if (type === 'payment') {
    const [month = '', year = ''] = values.expires.split('/');
    delete values.expires;
    Object.assign(values, { exp_month: month.trim(), exp_year: `20${year.trim()}` });
  } else values.country = 'US';
  parent.postMessage({ event, values, complete, saved: chosen }, '*');
}

addEventListener('input', () => report('change'));
addEventListener('message', () => {
  for (const input of inputs) input.ariaInvalid = String(input.value === '');
});
report('ready');
if (type === 'payment') report('change');
