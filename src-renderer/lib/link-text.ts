import { linkScheme, printLink, type Link } from '../../src-shared/navigation/link.ts'
import type { AppState, Session } from './session.ts'

const begin = `${linkScheme}://`

/**
 * Returns the link that this window copies: `muster://…` for the desktop application, or in a browser the window's own
 * address with the same after `#`. Returns null for a target that is too long for a link.
 */
export function linkText(
  link: Link,
  shell: AppState['shell'] | undefined,
  origin = window.location.origin,
): string | null {
  const printed = printLink(link)
  return printed === null || shell === 'electron' ? printed : `${origin}/#${printed.slice(begin.length)}`
}

/** The parts of `window` by which a browser's address is read. */
export type Addressed = Pick<Window, 'location' | 'history' | 'addEventListener' | 'removeEventListener'>

/**
 * Opens the link after the `#` of the window's address, now and whenever it changes, and removes it from the address.
 * Returns a function that stops it.
 */
export function followAddress(
  { pipe, open }: Pick<Session, 'pipe' | 'open'>,
  { location, history, addEventListener, removeEventListener }: Addressed,
): () => void {
  let [waiting, reached] = ['', false]
  const read = () => {
    if (waiting === '' || !reached) return
    const link = waiting
    waiting = ''
    void pipe.call('links.read', { link }).then((answer) => {
      if (answer.ok && answer.value.open !== null) open(answer.value.open)
    })
  }
  const update = () => {
    const { hash, pathname, search } = location
    if (hash.length < 2) return
    history.replaceState(null, '', pathname + search)
    waiting = `${begin}${hash.slice(1)}`
    read()
  }
  const off = pipe.onReach((now) => {
    reached = now
    read()
  })
  addEventListener('hashchange', update)
  update()
  return () => {
    off()
    removeEventListener('hashchange', update)
  }
}
