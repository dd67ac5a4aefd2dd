// The few forms of Markdown the pages are made of.
export const code = (text) => `\`${text}\``;

/** Named by its source, so that nobody mends the page and wonders where it went. */
export function page(title, source, ...parts) {
  const origin = `<!-- Printed from ${source} by \`npm run docs\`. Change that, and run it again. -->`;
  return [`# ${title}`, origin, ...parts].join('\n\n');
}

export function table(columns, rows) {
  const line = (cells) => `| ${cells.map((cell) => String(cell).replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(columns), line(columns.map(() => '---')), ...rows.map(line)].join('\n');
}
