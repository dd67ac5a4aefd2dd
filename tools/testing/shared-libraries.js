// How Jest loads what is not ours. By itself it gives each spec file a realm of its own and loads all libraries anew in it, some two
// thousand modules for a spec that has a database: most of the time that specs took. Here a worker loads a library once. What is
// ours is still loaded for each file. So a library cannot be mocked.
const { isBuiltin } = require('node:module');
const { sep } = require('node:path');
const { compileFunction } = require('node:vm');
const Runtime = require('jest-runtime').default;

const LIBRARIES = `${sep}node_modules${sep}`;
const OURS = /^[./#]/;
const JESTS = /^@?jest(\/|-|$)/;

const known = new Map();

module.exports = class SharedLibraries extends Runtime {
  constructor(...parts) {
    super(...parts);
    const { executor } = this;
    // Nothing public says so, and another version of Jest may name it otherwise.
    if (typeof executor.compile !== 'function')
      throw new Error('This Jest compiles modules in another way: see shared-libraries.js.');
    // Libraries belong to the realm of Node, so a spec does as well: an Error or a Date of one is an Error or a Date of the other.
    executor.compile = (source, filename) => compileFunction(source, executor.injectedModuleParameters, { filename });
  }

  requireModuleOrMock(from, name) {
    return isLibrary(name) ? require(name) : super.requireModuleOrMock(from, name);
  }

  setMock(from, name, ...rest) {
    if (isLibrary(name)) throw new Error(`${name} is shared with other spec files, and cannot be mocked.`);
    return super.setMock(from, name, ...rest);
  }
};

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
