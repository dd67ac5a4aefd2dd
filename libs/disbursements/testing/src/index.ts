export { codeOfRows, isListedBy, movementOf } from './listed-before';
export { OwedScene, startOwedWorld } from './owed-scene';
