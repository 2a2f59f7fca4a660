/** Time-based one-time passwords (RFC 6238). */
export interface Totp {
  /** Base32. */
  newSeed(): string;
  /** For authenticator apps, which read it as a QR code. */
  url(seed: string, account: string): string;
  /** The time step that a code is of, if it is one of now or of the steps beside it. */
  stepOf(seed: string, code: string, now: Date): number | undefined;
}
