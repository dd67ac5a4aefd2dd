/** The service with stand-ins for the real rails, for the end-to-end suite only. */
import { mockRail } from '#libs/rails/mock';
import { standInRails, unlistedStandIn } from '#libs/rails/mock/testing';
import { run } from '../src/start';

run([mockRail, ...standInRails, unlistedStandIn]);
