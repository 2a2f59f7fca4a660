import { domainToASCII } from 'node:url';
import mailchecker from 'mailchecker';

const labelsMax = 127;

/** Whether an address is at a service for throw-away mail, or below one. */
export function isDisposable(email: string): boolean {
  const labels = domainToASCII(email.slice(email.lastIndexOf('@') + 1)).split('.', labelsMax);
  const known = mailchecker.blacklist();
  return labels.some((_label, index) => known.has(labels.slice(index).join('.')));
}
