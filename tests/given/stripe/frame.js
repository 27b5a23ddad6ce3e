/** Runs in a frame of the provider's: what is filled in goes to the script, and nowhere else. Served inside a function that has `type`. */
/* global type */
const inputs = [...document.querySelectorAll('input')];
const known = JSON.parse(decodeURIComponent(location.hash.slice(1)));
for (const input of inputs) input.value = known[input.name] ?? '';

function report(event) {
  const values = Object.fromEntries(inputs.map(({ name, value }) => [name, value]));
  const complete = inputs.every(({ value }) => value !== '');
  if (type === 'payment') {
    const [month = '', year = ''] = values.expires.split('/');
    delete values.expires;
    Object.assign(values, { exp_month: month.trim(), exp_year: `20${year.trim()}` });
  } else values.country = 'US';
  parent.postMessage({ event, values, complete }, '*');
}

addEventListener('input', () => report('change'));
addEventListener('message', () => {
  for (const input of inputs) input.ariaInvalid = String(input.value === '');
});
report('ready');
