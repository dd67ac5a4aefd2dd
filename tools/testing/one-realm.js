// The surroundings of a spec file whose libraries are shared (shared-libraries.js): the realm of Node itself. What a file left there
// is taken away after it, and what it changed is put back.
require('reflect-metadata');
const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

module.exports = class OneRealm {
  constructor({ projectConfig }) {
    this.config = projectConfig;
    this.global = globalThis;
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimers = null;
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    this.before = { globals: Object.getOwnPropertyDescriptors(globalThis), env: { ...process.env } };
  }

  async setup() {}

  async teardown() {
    this.moduleMocker.restoreAllMocks();
    this.fakeTimersModern.dispose();
    for (const name of Object.getOwnPropertyNames(globalThis)) this.putBack(name);
    for (const name of Object.keys(process.env)) if (!(name in this.before.env)) delete process.env[name];
    Object.assign(process.env, this.before.env);
  }

  putBack(name) {
    const before = this.before.globals[name];
    if (!before) return void Reflect.deleteProperty(globalThis, name);
    const { value, get } = Object.getOwnPropertyDescriptor(globalThis, name);
    if (value !== before.value || get !== before.get) Object.defineProperty(globalThis, name, before);
  }

  exportConditions() {
    return this.config.testEnvironmentOptions.customExportConditions;
  }

  getVmContext() {
    return globalThis;
  }
};
