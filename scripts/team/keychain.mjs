import { setTimeout as wait } from 'node:timers/promises'

/** Longest wait for the keychain, ms: a locked one may ask its user, who is about to leave. */
const limit = 5000

/** Removes the secrets that a console on this profile has put into the system's keychain (src-main/secrets/keychain.ts). */
export async function forget(profile) {
  const service = `Muster (${profile})`
  const remove = async () => {
    const module = await import('keytar')
    const keytar = module.default ?? module
    for (const { account } of await keytar.findCredentials(service)) await keytar.deletePassword(service, account)
  }
  const failed = () => console.error(`The secrets of “${service}” could not be removed from the keychain.`)
  await Promise.race([remove(), wait(limit, null, { ref: false }).then(() => Promise.reject(new Error('late')))]).catch(
    failed,
  )
}
