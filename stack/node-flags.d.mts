/** Node flags of every process that stays up. */
export const longRunningFlags: string[];
