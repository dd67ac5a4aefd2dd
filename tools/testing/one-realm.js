// The surroundings of a spec file whose libraries are shared (shared-libraries.js): the realm of Node itself. After a file, globals,
// variables of the environment, spies, timers, and listeners of the process are as they were before it. What it changes in a library, or in
// a prototype, stays.
require('reflect-metadata');
const { ModernFakeTimers } = require('@jest/fake-timers');
const { ModuleMocker } = require('jest-mock');

/** Where Jest keeps the state, the time-out and the listeners of a file. The next one would go on with them, and hear of no late error. */
const JESTS = new Set([
  ...['JEST_STATE_SYMBOL', 'EVENT_HANDLERS', 'TEST_TIMEOUT_SYMBOL'],
  ...['RETRY_TIMES', 'RETRY_TIMES_SETTER', 'RETRY_IMMEDIATELY', 'WAIT_BEFORE_RETRY', 'LOG_ERRORS_BEFORE_RETRY'],
]);

module.exports = class OneRealm {
  constructor({ projectConfig }) {
    this.config = projectConfig;
    this.global = globalThis;
    this.moduleMocker = new ModuleMocker(globalThis);
    this.fakeTimers = null;
    this.fakeTimersModern = new ModernFakeTimers({ config: projectConfig, global: globalThis });
    this.before = {
      globals: Object.getOwnPropertyDescriptors(globalThis),
      env: { ...process.env },
      exit: process.exit,
      listeners: new Map(process.eventNames().map((event) => [event, process.rawListeners(event)])),
    };
  }

  async setup() {}

  async teardown() {
    this.moduleMocker.restoreAllMocks();
    this.fakeTimersModern.dispose();
    for (const name of Object.getOwnPropertyNames(globalThis)) this.putBack(name);
    for (const symbol of Object.getOwnPropertySymbols(globalThis))
      if (JESTS.has(symbol.description)) Reflect.deleteProperty(globalThis, symbol);
    for (const name of Object.keys(process.env)) if (!(name in this.before.env)) delete process.env[name];
    Object.assign(process.env, this.before.env);
    process.exit = this.before.exit; // Jest wraps it for each file
    for (const event of process.eventNames()) this.takeOff(event);
  }

  putBack(name) {
    const before = this.before.globals[name];
    if (!before) return void Reflect.deleteProperty(globalThis, name);
    const { value, get } = Object.getOwnPropertyDescriptor(globalThis, name);
    if (value !== before.value || get !== before.get) Object.defineProperty(globalThis, name, before);
  }

  takeOff(event) {
    const before = this.before.listeners.get(event) ?? [];
    for (const listener of process.rawListeners(event))
      if (!before.includes(listener)) process.removeListener(event, listener);
  }

  exportConditions() {
    return this.config.testEnvironmentOptions.customExportConditions;
  }

  getVmContext() {
    return globalThis;
  }
};
