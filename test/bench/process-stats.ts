import { readdirSync, readFileSync, readlinkSync } from 'node:fs';

const usPerTick = 10_000;

/** Processor time of a process so far, all its threads together, from Linux' /proc. */
export function cpuUs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * usPerTick;
}

/** What a process has read and written by system calls so far, sockets and files together, and what of it went to disk. */
export function ioBytes(pid: number): { readonly moved: number; readonly disk: number } {
  const text = readFileSync(`/proc/${pid}/io`, 'utf8');
  const of = (name: string) => Number(new RegExp(`^${name}: (\\d+)`, 'm').exec(text)?.[1]);
  return { moved: of('rchar') + of('wchar'), disk: of('write_bytes') };
}

/** Resident memory in MB. */
export function residentMb(pid: number): number {
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024);
}

/** How many TCP connections a process has to each port of others. */
export function connectionsTo(pid: number, ports: Readonly<Record<string, number>>): Record<string, number> {
  const own = new Set(readdirSync(`/proc/${pid}/fd`).map((fd) => socketOf(pid, fd)));
  const counts: Record<string, number> = {};
  for (const line of readFileSync('/proc/net/tcp', 'utf8').split('\n').slice(1)) {
    const [, , remote = '', state, , , , , , inode = ''] = line.trim().split(/\s+/);
    if (state !== established || !own.has(inode)) continue;
    const port = Number.parseInt(remote.split(':')[1] ?? '', 16);
    const name = Object.keys(ports).find((known) => ports[known] === port);
    if (name !== undefined) counts[name] = (counts[name] ?? 0) + 1;
  }
  return counts;
}

const established = '01';

function socketOf(pid: number, fd: string): string | undefined {
  try {
    return /^socket:\[(\d+)\]$/.exec(readlinkSync(`/proc/${pid}/fd/${fd}`))?.[1];
  } catch {
    return undefined;
  }
}
