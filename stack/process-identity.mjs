import { execFileSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';

const hasProc = existsSync('/proc/self/stat');

/** Fields of /proc/<pid>/stat after the command name, which may itself contain spaces and brackets. */
function statFields(pid) {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** A pid alone may be reused by a stranger; pid and start time together name one process. */
export function startTimeOf(pid) {
  try {
    if (!hasProc) {
      return execFileSync('ps', ['-o', 'lstart=', '-p', String(pid)], { encoding: 'utf8' }).trim() || undefined;
    }
    const fields = statFields(pid);
    // A zombie has ended: it holds no port and no file, it only waits for its parent to look.
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19];
  } catch {
    return undefined;
  }
}

export function isAlive(identity) {
  const startTime = startTimeOf(identity.pid);
  return startTime !== undefined && startTime === identity.startTime;
}

export function identityOf(pid) {
  return { pid, startTime: startTimeOf(pid) ?? '' };
}

export function parentOf(pid) {
  try {
    if (hasProc) return Number(statFields(pid)[1]);
    return Number(execFileSync('ps', ['-o', 'ppid=', '-p', String(pid)], { encoding: 'utf8' })) || undefined;
  } catch {
    return undefined;
  }
}

export function commandOf(pid) {
  try {
    if (hasProc) return readFileSync(`/proc/${pid}/comm`, 'utf8').trim();
    return execFileSync('ps', ['-o', 'comm=', '-p', String(pid)], { encoding: 'utf8' }).trim();
  } catch {
    return '';
  }
}
