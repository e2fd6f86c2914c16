/** A process that was started with a channel of Node's, as `process` has it. */
export interface Child {
  on(event: 'message', listener: (message: unknown) => void): unknown
  on(event: 'disconnect', listener: () => void): unknown
}

/** What `npm start` says (scripts/open.mjs): that it is there, and that it is to end. */
const [here, stop] = ['here', 'stop']

/**
 * Ends with whoever started it. Node does not vouch for its channel between Node and another program, which Electron is: one that was
 * never heard of says nothing by being closed.
 */
export function followParent(child: Child, end: () => void): void {
  let heard = false
  child.on('message', (message) => {
    if (message === here || message === stop) heard = true
    if (message === stop) end()
  })
  child.on('disconnect', () => {
    if (heard) end()
  })
}
