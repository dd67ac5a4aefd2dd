// What a profile's functions belong to. A function without a file, such as one of V8's own, belongs to whoever called it.

/** The first that fits. */
const AREAS = [
  ['garbage', ({ functionName }) => functionName === '(garbage collector)'],
  ['native code outside of any function', ({ functionName }) => functionName === '(program)'],
  ['writing to sockets', ({ url, functionName }) => url === '' && /^write/.test(functionName)],
  ['hashes and random numbers', filedIn(/^node:(internal\/)?crypto/)],
  ["Node's HTTP", filedIn(/^node:(_http|internal\/http)/)],
  ["Node's sockets and streams", filedIn(/^node:(net|stream|internal\/(streams|stream_base))/)],
  ["Node's timers, ticks and contexts", filedIn(/^node:(timers|async_hooks|internal\/(timers|process|async))/)],
  ['the rest of Node', filedIn(/^node:/)],
  ['node-postgres', filedIn(/node_modules\/pg/)],
  ['Express', filedIn(/node_modules\/(express|router|body-parser|finalhandler|send|qs|accepts|content-type)\b/)],
  ['Nest', filedIn(/node_modules\/(@nestjs|rxjs|reflect-metadata)\b/)],
  ['class-validator', filedIn(/node_modules\/(class-validator|class-transformer|validator)\b/)],
  ['undici', filedIn(/node_modules\/undici\b/)],
  ['pino', filedIn(/node_modules\/(pino|sonic-boom|thread-stream)\b/)],
  ['other libraries', filedIn(/node_modules/)],
  ['our own code', filedIn(/\/(libs|apps)\//)],
];
const UNKNOWN = 'what has no file';
/** What ends a function's line: the process does nothing then. */
const IDLE = new Set(['(idle)', '(root)']);
const OURS = /\/(libs\/(?:rails\/)?[^/]+|apps\/[^/]+)\//;

/** Shares of the time in which the process worked: by area, and of our own code by lib and by function. */
export function sharesOf({ nodes, samples, timeDeltas }) {
  const spent = new Map();
  samples.forEach((id, place) => spent.set(id, (spent.get(id) ?? 0) + timeDeltas[place]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const byId = new Map(nodes.map((node) => [node.id, node]));
  const found = { areas: new Map(), libs: new Map(), functions: new Map() };
  let busy = 0;
  for (const [id, micros] of spent) {
    if (IDLE.has(byId.get(id).callFrame.functionName)) continue;
    busy += micros;
    const { area, frame } = placeOf(id, byId, parents);
    add(found.areas, area, micros);
    const [, lib] = OURS.exec(frame.url) ?? [];
    if (area !== 'our own code' || !lib) continue;
    add(found.libs, lib, micros);
    add(found.functions, `${frame.functionName || '(anonymous)'} in ${lib}`, micros);
  }
  const shares = (times) => [...times].map(([name, micros]) => [name, micros / busy]).sort((a, b) => b[1] - a[1]);
  return {
    ...{ areas: shares(found.areas), libs: shares(found.libs), functions: shares(found.functions) },
    busyShare: busy / timeDeltas.reduce((sum, micros) => sum + micros, 0),
  };
}

function placeOf(id, byId, parents) {
  for (let at = id; at !== undefined; at = parents.get(at)) {
    const frame = byId.get(at).callFrame;
    const [area] = AREAS.find(([, fits]) => fits(frame)) ?? [];
    if (area) return { area, frame };
  }
  return { area: UNKNOWN, frame: byId.get(id).callFrame };
}

function filedIn(pattern) {
  return ({ url }) => pattern.test(url);
}

function add(times, name, micros) {
  times.set(name, (times.get(name) ?? 0) + micros);
}
