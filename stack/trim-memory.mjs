// Preloaded (`node --expose-gc --import`) on one machine, where the starter, five services and the gateway share the memory:
// loading a program leaves 20 to 60 MB of garbage that V8 keeps for growth. Once a process has nothing to do it is
// given back to the system. Limits on the heap would save as much, but would slow the process down under load.
const windowMs = 3_000;
/** So many idle windows make a pause that is worth it: the collection also drops compiled code, which load needs again. */
const idleWindowsMin = 3;
const idleShareMax = 0.1;
const growthBytesMin = 16_000_000;

let trimmedBytes = 0;
let idleWindows = idleWindowsMin - 1;
let before = process.cpuUsage();

function trimWhenIdle() {
  const { user, system } = process.cpuUsage(before);
  before = process.cpuUsage();
  const isIdle = (user + system) / 1_000 < windowMs * idleShareMax;
  idleWindows = isIdle ? idleWindows + 1 : 0;
  if (idleWindows < idleWindowsMin || process.memoryUsage.rss() < trimmedBytes + growthBytesMin) return;
  // Only this flavour also unmaps the pages that are free afterwards.
  globalThis.gc?.({ type: 'major', flavor: 'last-resort' });
  before = process.cpuUsage();
  trimmedBytes = process.memoryUsage.rss();
}

setInterval(trimWhenIdle, windowMs).unref();
