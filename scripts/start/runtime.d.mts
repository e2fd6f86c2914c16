export declare function obstacle(start: {
  args: string[]
  env: Record<string, string | undefined>
  platform: string
  uid: number | undefined
}): string | null
export declare function installedRuntime(
  folder: string,
  env?: Record<string, string | undefined>,
  platform?: string,
): string | null
export declare function findRuntime(options: {
  folder: string
  cache: string
  node: string
  env?: Record<string, string | undefined>
  platform?: string
  now?: () => number
  log?: (line: string) => void
}): Promise<{ program: string } | { reason: string }>
