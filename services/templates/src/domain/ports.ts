import type { Template } from './template.ts';

/** A window over a list. */
export interface PageWindow {
  readonly offset: number;
  readonly limit: number;
}

export interface TemplateStore {
  /** @returns false, with nothing written, when the merchant has `max` already. */
  insert(template: Template, max: number): Promise<boolean>;
  get(merchantId: string, id: string): Promise<Template | undefined>;
  /** Newest first; `total` counts all pages. */
  list(merchantId: string, page: PageWindow): Promise<{ templates: Template[]; total: number }>;
  /** @returns false when the merchant has no such template. */
  delete(merchantId: string, id: string): Promise<boolean>;
}

export type Clock = () => Date;

/** All that the use cases need from outside. */
export interface TemplatesContext {
  readonly templates: TemplateStore;
  readonly templatesMax: number;
  readonly now: Clock;
}
