import { pathToFileURL } from 'node:url'
import { shell } from 'electron'
import { writeSignInPage } from '../shared/sign-in-page.ts'

/** Hands an address to the system; only what `externalUrl` has let through comes here. */
export function openSystem(url: string | null): void {
  // Whether a browser opened is nothing that Muster could mend.
  if (url !== null) shell.openExternal(url).catch(() => {})
}

/** The window of a web shell that runs on the same profile, by a page there: the address holds a key, and may become an argument. */
export function openLocal(profile: string, url: string): void {
  shell.openExternal(pathToFileURL(writeSignInPage(profile, url)).href).catch(() => {})
}
