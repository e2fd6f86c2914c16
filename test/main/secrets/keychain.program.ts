import { openSecrets } from '../../../src-main/secrets/keychain.ts'
import { systemClock } from '../../../src-shared/clock.ts'

/** Run by keychain.test.ts inside a private session bus with an unlocked gnome-keyring; prints what it saw as JSON. */
const secrets = await openSecrets({ profile: 'one', clock: systemClock })
const other = await openSecrets({ profile: 'two', clock: systemClock })
const seen: unknown[] = [await secrets.get('a')]
await secrets.set('a', 'first')
await secrets.set('a', 'sëcond 🔑')
seen.push(await secrets.get('a'), await other.get('a'))
await secrets.remove('a')
await secrets.remove('never there')
seen.push(await secrets.get('a'))
process.stdout.write(`${JSON.stringify({ kind: secrets.kind, detail: secrets.detail, seen })}\n`)
process.exit(0)
