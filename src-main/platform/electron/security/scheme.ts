import type { CustomScheme, Protocol } from 'electron'
import { answerRequest, scheme } from '../../desktop/page/page.ts'
import { listWindow } from '../../shared/window-files.ts'

/** The scheme, registered once before the application is ready. */
export const ownScheme: CustomScheme = {
  scheme,
  privileges: { standard: true, secure: true, supportFetchAPI: true, codeCache: true },
}

/** Serves the built window in `folder` to the session of this `protocol`. */
export function serveWindow(protocol: Pick<Protocol, 'handle'>, folder: string): void {
  const known = listWindow(folder)
  protocol.handle(scheme, (request) => answerRequest(known, request))
}
