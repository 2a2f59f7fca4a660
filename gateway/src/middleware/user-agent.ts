const charactersMax = 200;

/** How the client's program calls itself, fit to be stored: without control characters, and cut. */
export function userAgentOf(header: string | undefined): string | undefined {
  if (header === undefined || header === '') return undefined;
  // Node reads headers as latin1, so a character is a code unit.
  const text = header.replace(/\p{C}/gu, '').trim().slice(0, charactersMax);
  return text === '' ? undefined : text;
}
