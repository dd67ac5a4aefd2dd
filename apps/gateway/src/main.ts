/** The service, as it is shipped. */
import { run } from './start';

run();
