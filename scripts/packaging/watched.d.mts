export declare function runWatched(options: {
  program: string
  args: string[]
  env: Record<string, string | undefined>
  folders: string[]
  limit?: number
  log?(text: string): void
}): Promise<number | null>
