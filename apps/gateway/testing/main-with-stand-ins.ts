/** The service with stand-ins for the real rails, for the end-to-end suite only. */
import { mockRail, standInRails } from '#libs/rails/mock';
import { run } from '../src/start';

run([mockRail, ...standInRails]);
