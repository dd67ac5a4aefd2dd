export { type Config, loadConfig, type Role } from './config';
export { ConfigError, ensureDataDir } from './data-dir';
export { MASTER_KEY_FILE, OPERATOR_TOKEN_FILE } from './development-secrets';
export { type Setting, SETTINGS } from './settings';
export { CONFIG } from './token';
export { syncToDisk } from './whole-file';
