import type { Handlers } from '../../src-shared/contract.ts'
import { openedBy, parseLink } from '../../src-shared/link.ts'
import type { Notices } from './notices.ts'

/** Reads links. One that leads nowhere is said in the window, until it is dismissed or a good one comes. */
export function linkHandlers(notices: Notices): Pick<Handlers, 'links.read'> {
  return {
    'links.read': async ({ link }) => {
      const read = parseLink(link)
      if ('problem' in read) {
        notices.say('link', 'info', { kind: 'link', detail: read.problem })
        return { open: null }
      }
      notices.take('link')
      return { open: openedBy(read) }
    },
  }
}
