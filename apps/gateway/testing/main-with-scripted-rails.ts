/** The service with rails that a spec scripts, call by call, for what happens when a process dies between two of them. */
import { mockRail } from '#libs/rails/mock';
import { run } from '../src/start';
import { scriptedRails } from './scripted/scripted-rails';

run([mockRail, ...scriptedRails]);
