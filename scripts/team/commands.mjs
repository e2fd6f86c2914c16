const maxDrop = 100_000

/** The commands that are typed into the terminal, for a script that knows these operators. */
export const commands = [
  { words: 'stop NAME', text: 'ends a console in order: stop ann' },
  { words: 'kill NAME', text: 'ends it at once, as a crash does' },
  { words: 'start NAME', text: 'starts it again; its window finds it by itself' },
  { words: 'open NAME', text: 'another address for a window, which works once within five minutes' },
  { words: 'drop N', text: 'N devices go offline, site by site' },
  { words: 'restore', text: 'they come back' },
  { words: 'quit', text: 'ends everything, as Ctrl-C does' },
]

/**
 * Reads a line of the terminal.
 * @param {string} line  @param {readonly string[]} names of the operators
 * @returns {{ is: 'none' | 'restore' | 'quit' | 'help' } | { is: 'stop' | 'kill' | 'start' | 'open', name: string }
 * | { is: 'drop', count: number } | { is: 'wrong', text: string }}
 */
export function readCommand(line, names) {
  const [word = '', rest = '', ...more] = line.trim().toLowerCase().split(/\s+/u)
  if (word === '') return { is: 'none' }
  if (more.length > 0) return { is: 'wrong', text: 'That is too much. “help” lists the commands.' }
  switch (word) {
    case 'stop':
    case 'kill':
    case 'start':
    case 'open':
      return names.includes(rest) ? { is: word, name: rest } : { is: 'wrong', text: `Whom? ${names.join(', ')}.` }
    case 'drop': {
      const count = /^\d{1,6}$/u.test(rest) ? Number(rest) : 0
      if (count >= 1 && count <= maxDrop) return { is: 'drop', count }
      return { is: 'wrong', text: `How many? A whole number from 1 to ${maxDrop}, as in: drop 20` }
    }
    case 'restore':
    case 'quit':
    case 'help':
      return { is: word }
    default:
      return { is: 'wrong', text: `There is no command “${word}”. “help” lists them.` }
  }
}

/** @returns {string} the list of commands */
export const commandList = () => commands.map(({ words, text }) => `  ${words.padEnd(12)}${text}`).join('\n')
