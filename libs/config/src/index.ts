export { type Config, ConfigError, loadConfig, type Role } from './config';
export { MASTER_KEY_FILE, OPERATOR_TOKEN_FILE } from './development-secrets';
export { type Setting, SETTINGS } from './settings';
export { CONFIG } from './token';
