import type { Mail } from '#platform/mail/mail.ts';
import type { Signup } from './signup.ts';

export interface SignupStore {
  /**
   * Makes the record of a lowercase e-mail under `id`, unless there is one that did not make its account. Not in a
   * transaction.
   * @returns its id.
   */
  ensure(email: string, id: string, now: Date): Promise<string>;
  get(id: string): Promise<Signup | undefined>;
  save(signup: Signup): Promise<void>;
}

export interface Mails {
  /** In the transaction under way: the mail goes out once that has committed. */
  add(mail: Mail): Promise<void>;
}
