import { hash } from 'node:crypto';

/** Hides what of the navigation does not match the filter. The page is whole without it. */
export const pageScript = `
const filter = document.getElementById('filter');
filter.addEventListener('input', () => {
  const words = filter.value.toLowerCase().split(/\\s+/).filter(Boolean);
  for (const section of document.querySelectorAll('nav section')) {
    let shown = 0;
    for (const item of section.querySelectorAll('li')) {
      const text = (item.dataset.text + ' ' + item.textContent).toLowerCase();
      item.hidden = !words.every((word) => text.includes(word));
      if (!item.hidden) shown += 1;
    }
    section.hidden = shown === 0;
  }
});
`;

/** What a Content-Security-Policy has to name for the script to run, and no other. */
export const pageScriptSource = `'sha256-${hash('sha256', pageScript, 'base64')}'`;
