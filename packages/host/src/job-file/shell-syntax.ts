/** Outside of quotes: pipes, redirections, lists, variables, globs, homes and backquotes. */
const SYNTAX = /\|\|?|&&|[<>;`*]|\$(?:[A-Za-z_]\w*|[{(])|(?:^|\s)~(?:\/|\s|$)|(?:^|\s)&(?:\s|$)/

/** The first characters of a command that only a shell understands; undefined if there are none. */
export function shellSyntaxIn(command: string): string | undefined {
  // A quoted character is meant literally.
  return SYNTAX.exec(command.replaceAll(/"(?:[^"\\]|\\.)*"|'[^']*'/g, '""'))?.[0].trim()
}
