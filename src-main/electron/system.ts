import { shell } from 'electron'

/** Hands an address to the system; only what `externalUrl` has let through comes here. */
export function openSystem(url: string | null): void {
  // Whether a browser opened is nothing that Muster could mend.
  if (url !== null) shell.openExternal(url).catch(() => {})
}

/** The window of a web shell that runs on the same profile: an address of loopback that it has just made. */
export function openLocal(url: string): void {
  if (/^http:\/\/127\.0\.0\.1:\d+\/\?key=[\w-]+$/.test(url)) shell.openExternal(url).catch(() => {})
}
