import type { PasswordHasher } from './ports.ts';

/** A password as the client derived it, or in clear. */
export interface GivenPassword {
  readonly passwordHash?: string;
  readonly password?: string;
}

export const passwordCharacters = { min: 8, max: 1024 };
const passwordHashCharactersMax = 200;

/**
 * What the client derived, or the same derived here. A value beyond its bound stands for no password that anyone can
 * have; it is cut, not refused, so that it costs what any other wrong password costs, and no more.
 */
export async function passwordHashOf(hasher: PasswordHasher, email: string, given: GivenPassword): Promise<string> {
  if (given.passwordHash !== undefined) return given.passwordHash.slice(0, passwordHashCharactersMax + 1);
  return hasher.derive((given.password ?? '').slice(0, passwordCharacters.max + 1), email);
}
