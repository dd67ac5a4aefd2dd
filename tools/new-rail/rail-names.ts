/** The spellings of a rail's name. `swap-rail` is a SwapRail and not a SwapRailRail. */
export interface RailNames {
  /** The folder. */
  kebab: string;
  /** The rail's name in the API and the database. */
  snake: string;
  /** How its environment variables begin. */
  upper: string;
  /** How its files begin. */
  file: string;
  camel: string;
  pascal: string;
}

const KEBAB = /^[a-z][a-z0-9]*(-[a-z0-9]+)*$/;

export function railNames(name: string): RailNames {
  if (!KEBAB.test(name) || name.length < 2 || name.length > 31)
    throw new Error(
      `'${name}' is no name for a rail: use kebab-case of 2 to 31 characters, such as acme or swap-rail.`,
    );
  const file = name.replace(/-rail$/, '');
  const pascal = file.split('-').map(capitalized).join('');
  const snake = name.replaceAll('-', '_');
  return {
    kebab: name,
    snake,
    upper: snake.toUpperCase(),
    file,
    camel: pascal.charAt(0).toLowerCase() + pascal.slice(1),
    pascal,
  };
}

const capitalized = (word: string): string => word.charAt(0).toUpperCase() + word.slice(1);
