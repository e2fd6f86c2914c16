/** A command of a desktop file: the program quoted as the Desktop Entry Specification wants it (1.5, "The Exec key"), and what follows it as it is. */
export function execOf(program: string, rest: string): string {
  const quoted = program.replaceAll(/["`$\\]/gu, '\\$&').replaceAll('%', '%%')
  return stringValue(`"${quoted}" ${rest}`)
}

/** A value of such a file, escaped as a string of it. */
export const stringValue = (text: string): string =>
  text.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\t', '\\t').replaceAll('\r', '\\r')
