import type { WebContents } from 'electron'
import { externalUrl, isPageUrl } from '../../desktop/page/page.ts'

/** The parts of web contents that confine navigation. */
export type Confined = Pick<WebContents, 'on' | 'setWindowOpenHandler'>

/**
 * Prevents navigation and new windows. An https link is passed to `openExternal`. Loading the page itself again is
 * allowed.
 */
export function confine(contents: Confined, openExternal: (url: string) => void): void {
  const leave = (url: string) => {
    const external = externalUrl(url)
    if (external !== null) openExternal(external)
  }
  contents.on('will-frame-navigate', (details) => {
    if (details.isMainFrame && isPageUrl(details.url)) return
    details.preventDefault()
    if (details.isMainFrame) leave(details.url)
  })
  contents.on('will-redirect', (details) => details.preventDefault())
  contents.on('will-attach-webview', (event) => event.preventDefault())
  contents.setWindowOpenHandler(({ url }) => {
    leave(url)
    return { action: 'deny' }
  })
}
