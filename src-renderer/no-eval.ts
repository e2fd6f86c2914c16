import { config } from 'zod'

// Without this, zod checks once whether it may compile validators, which the page's content security policy blocks and
// reports. It is the first import of each file of the build that brings zod, so that it comes before all schemas.
config({ jitless: true })
