import { escapeHtml } from '#platform/html.ts';
import type { Mail } from '#platform/mail/mail.ts';

/** A sentence, lines that belong together, or a link on a line of its own. */
type Paragraph = string | readonly string[] | { readonly link: string };

/** A mail's body, as plain text and as HTML. */
export function mailParts(paragraphs: readonly Paragraph[]): Pick<Mail, 'text' | 'html'> {
  const text = paragraphs.map((part) => {
    if (typeof part === 'string') return part;
    return 'link' in part ? part.link : part.map((line) => `  ${line}`).join('\n');
  });
  const html = paragraphs.map((part) => {
    if (typeof part === 'string') return `<p>${escapeHtml(part)}</p>`;
    if (!('link' in part)) return `<p>${part.map(escapeHtml).join('<br>')}</p>`;
    return `<p><a href="${escapeHtml(part.link)}">${escapeHtml(part.link)}</a></p>`;
  });
  return {
    text: `${text.join('\n\n')}\n`,
    html: `<!doctype html><html lang="en"><body>${html.join('\n')}</body></html>\n`,
  };
}

/** As mails show a time: to the minute, in UTC. */
export const shownTime = (at: Date) => `${at.toISOString().slice(0, 16).replace('T', ' ')} UTC`;
