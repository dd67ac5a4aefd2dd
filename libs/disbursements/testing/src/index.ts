export { codeOfRows, isListedBy } from './listed-before';
export { OwedScene, startOwedWorld } from './owed-scene';
