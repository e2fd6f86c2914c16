import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { systemClock } from '../../../src-shared/lib/clock.ts'
import { shutdownOnce, type Stops } from '../shared/shutdown.ts'
import { startHeadless } from './start.ts'

/** Built into `out/main/headless.js`, with the threads beside it: the core without a window, in plain Node. */
const threads = path.dirname(fileURLToPath(import.meta.url))
const stops: Stops = []
const stopAll = shutdownOnce(stops, systemClock)
const end = async (code: number): Promise<never> => process.exit((await stopAll()) ? code : 1)
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => void end(0))
process.on('message', (message) => message === 'stop' && void end(0))
process.on('disconnect', () => void end(0))
await startHeadless(process.argv.slice(2), { command: 'npm run headless --', threads, stops, end })
