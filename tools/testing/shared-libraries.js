// How Jest loads what is not ours. By itself it gives each spec file a realm of its own and loads all libraries anew in it, some two
// thousand modules for a spec that has a database: most of the time that specs took. Here a worker loads a library once. What is
// ours is still loaded for each file.
const { isBuiltin } = require('node:module');
const { sep } = require('node:path');
const { compileFunction } = require('node:vm');
const Runtime = require('jest-runtime').default;

const LIBRARIES = `${sep}node_modules${sep}`;
const OURS = /^[./#]/;
const JESTS = /^@?jest(\/|-|$)/;

const isLibrary = new Map();

module.exports = class SharedLibraries extends Runtime {
  constructor(...parts) {
    super(...parts);
    const { executor } = this;
    // Libraries belong to the realm of Node, so a spec does as well: an Error or a Date of one is an Error or a Date of the other.
    executor.compile = (source, filename) => compileFunction(source, executor.injectedModuleParameters, { filename });
  }

  requireModuleOrMock(from, name) {
    if (!isLibrary.has(name)) isLibrary.set(name, looksLikeLibrary(name));
    return isLibrary.get(name) ? require(name) : super.requireModuleOrMock(from, name);
  }
};

function looksLikeLibrary(name) {
  if (OURS.test(name) || JESTS.test(name) || isBuiltin(name)) return false;
  return require.resolve(name).includes(LIBRARIES);
}
