/** One process for certain: the pid together with the time it started. */
export interface ProcessIdentity {
  pid: number;
  startTime: string;
}

/** When the process started, in the kernel's own notation; undefined once it has ended. */
export function startTimeOf(pid: number): string | undefined;
/** Whether exactly this process still runs (a zombie does not). */
export function isAlive(identity: ProcessIdentity): boolean;
/** The identity of a process that runs now. */
export function identityOf(pid: number): ProcessIdentity;
/** The parent's pid. */
export function parentOf(pid: number): number | undefined;
/** The short command name, or an empty string. */
export function commandOf(pid: number): string;
