/** A process that was started with a Node channel, as `process`. */
export interface Child {
  on(event: 'message', listener: (message: unknown) => void): unknown
  on(event: 'disconnect', listener: () => void): unknown
}

/** Messages of `npm start` (scripts/start/open.mjs): that it is present, and that Muster should end. */
const [here, stop] = ['here', 'stop']

/**
 * Ends with the parent process. Node does not guarantee its channel to another program such as Electron, so closing it
 * counts only after a first message.
 */
export function followParent(child: Child, end: () => void): void {
  let hasMessage = false
  child.on('message', (message) => {
    if (message === here || message === stop) hasMessage = true
    if (message === stop) end()
  })
  child.on('disconnect', () => {
    if (hasMessage) end()
  })
}
