// Preloaded (`node --import`) into a process that must not outlive the ones that started it: their kill -9 sends
// no signal, so they are watched. TALLYCARD_WATCH holds `pid:startTime` of each, comma separated.
import { isAlive } from './process-identity.mjs';

const pollMs = 200;

const watched = (process.env.TALLYCARD_WATCH ?? '')
  .split(',')
  .filter(Boolean)
  .map((entry) => ({ pid: Number(entry.split(':', 1)[0]), startTime: entry.slice(entry.indexOf(':') + 1) }));
// Not for this process's own children: they are watched by whoever starts them.
delete process.env.TALLYCARD_WATCH;

if (watched.length > 0) {
  const timer = setInterval(() => {
    if (watched.every(isAlive)) return;
    clearInterval(timer);
    process.kill(process.pid, 'SIGTERM');
  }, pollMs);
  timer.unref();
}
