import type { WebContents } from 'electron'
import { externalUrl, isPageUrl } from '../../desktop/page/page.ts'

/** What a web contents must be told to stay where it is. */
export type Confined = Pick<WebContents, 'on' | 'setWindowOpenHandler'>

/**
 * The page goes nowhere and opens nothing. A link that leads out is handed to `openExternal`, if it is https. Loading
 * the page itself again is no navigation.
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
