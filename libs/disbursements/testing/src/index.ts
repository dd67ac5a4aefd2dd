export { OwedScene, startOwedWorld } from './owed-scene';
