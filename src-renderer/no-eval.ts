import { config } from 'zod'

// Without this, zod checks once whether it may compile validators, which the page's content security policy blocks and
// reports.
config({ jitless: true })
