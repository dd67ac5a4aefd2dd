/** For requests whose body says nothing. */
export class NoBody {}

/** A route that moves money takes no parameter that somebody could believe in. */
export class NoQuery {}
