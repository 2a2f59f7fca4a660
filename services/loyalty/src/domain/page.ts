import type { PageWindow } from './ports.ts';

const pageMax = 250;

/** The window, bounded here again: at most 250 records; 0 stands for that. */
export function boundedPage({ offset, limit }: PageWindow): PageWindow {
  return { offset: Math.max(0, offset), limit: limit > 0 ? Math.min(limit, pageMax) : pageMax };
}
