// How Jest loads what is not ours. By itself it gives each spec file a realm of its own and loads all libraries anew in it, some two
// thousand modules for a spec that has a database: most of the time that specs took. Here a worker loads a library once. What is
// ours still runs anew for each file, compiled once. So a library cannot be mocked.
const { isBuiltin } = require('node:module');
const { sep } = require('node:path');
const { compileFunction } = require('node:vm');
const Runtime = require('jest-runtime').default;

const LIBRARIES = `${sep}node_modules${sep}`;
const OURS = /^[./#]/;
const JESTS = /^@?jest(\/|-|$)/;

const known = new Map();
const functions = new Map();
const results = new Map();

module.exports = class SharedLibraries extends Runtime {
  constructor(...parts) {
    super(...parts);
    const { executor, transformCache } = this;
    // Nothing public says so, and another version of Jest may name it otherwise.
    const { scriptTransformer } = transformCache;
    if (typeof executor.compile !== 'function' || typeof scriptTransformer.transform !== 'function')
      throw new Error('This Jest compiles modules in another way: see shared-libraries.js.');
    // Libraries belong to the realm of Node, so a spec does as well: an Error or a Date of one is an Error or a Date of the other.
    executor.compile = (source, filename) => compiled(source, executor.injectedModuleParameters, filename);
    const transform = scriptTransformer.transform.bind(scriptTransformer);
    scriptTransformer.transform = (filename, options, source) =>
      transformed(source, filename, () => transform(filename, options, source));
  }

  requireModuleOrMock(from, name) {
    return isLibrary(name) ? require(name) : super.requireModuleOrMock(from, name);
  }

  setMock(from, name, ...rest) {
    if (isLibrary(name)) throw new Error(`${name} is shared with other spec files, and cannot be mocked.`);
    return super.setMock(from, name, ...rest);
  }
};

/** A module runs anew for each spec file. It is compiled once a worker, and what V8 learned of it stays. */
function compiled(source, parameters, filename) {
  const last = functions.get(filename);
  if (last?.source === source) return last.run;
  const run = compileFunction(source, parameters, { filename });
  functions.set(filename, { source, run });
  return run;
}

function transformed(source, filename, transform) {
  const last = results.get(filename);
  if (last?.originalCode === source) return last;
  const result = transform();
  results.set(filename, result);
  return result;
}

function isLibrary(name) {
  if (!known.has(name)) known.set(name, looksLikeLibrary(name));
  return known.get(name);
}

function looksLikeLibrary(name) {
  if (OURS.test(name) || JESTS.test(name) || isBuiltin(name)) return false;
  try {
    return require.resolve(name).includes(LIBRARIES);
  } catch {
    return false; // Jest says whose import leads nowhere
  }
}
