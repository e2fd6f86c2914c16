import type { InlineConfig } from 'vite'

export interface Target {
  inputs: string[]
  output: string
}
export interface Built extends Target {
  config(): InlineConfig | Promise<InlineConfig>
}
export declare const targets: Record<
  'renderer' | 'web' | 'headless' | 'electron' | 'later' | 'preload' | 'thread' | 'answers' | 'service',
  Built
>
export declare function build(options?: {
  names?: string[]
  force?: boolean
  log?: (line: string) => void
}): Promise<string[]>
export declare function isStale(base: string, name: string, target: Target): boolean
export declare function stampOf(base: string, inputs: string[]): string
export declare function writeStamp(base: string, name: string, stamp: string): void
