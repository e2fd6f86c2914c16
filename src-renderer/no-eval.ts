import { config } from 'zod'

// zod asks once whether it may compile its checks, which the window's content policy refuses and reports. It need not ask.
config({ jitless: true })
