import type { ChildProcess, SpawnOptions } from 'node:child_process'

export declare function nativeFolder(platform?: string, arch?: string): string | null
export declare const usualSettings: Record<string, string>
export declare function runOptions(native: string, folder: string): SpawnOptions
export declare function writeOwned(folder: string, name: string, text: string): string
export declare function createCluster(
  native: string,
  folder: string,
  auth: readonly string[],
  options: SpawnOptions,
): Promise<void>
export declare function runAlone(
  native: string,
  folder: string,
  database: string,
  sql: string,
  options: SpawnOptions,
): Promise<void>
export declare function spawnServer(
  native: string,
  folder: string,
  settings: Record<string, string>,
  options: SpawnOptions,
): ChildProcess
export declare function logOfReady(server: ChildProcess): Promise<string[]>
export declare function endOf(server: ChildProcess): () => Promise<void>
export declare function freePort(): Promise<number>
