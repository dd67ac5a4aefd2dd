/** The service with rails of a provider that behaves badly, for `npm run chaos` and its short form among the tests. */
import { mockRail } from '#libs/rails/mock';
import { run } from '../src/start';
import { providerRails } from './provider/provider-rails';

run([mockRail, ...providerRails]);
