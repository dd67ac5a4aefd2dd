// The compiled service, as the pages read it.
import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);

export const lib = (name) => require(`../../dist/libs/${name}/src/index.js`);
export const gateway = (file) => require(`../../dist/apps/gateway/src/${file}.js`);
