/** Text files as one zip; `at` (ms) is the time that each bears. */
export async function zipOf(files: readonly { name: string; text: string }[], at: number): Promise<Uint8Array> {
  // Its tables are made when it is loaded, and few ask for a bundle.
  const { strToU8, zipSync } = await import('fflate')
  return zipSync(Object.fromEntries(files.map(({ name, text }) => [name, strToU8(text)])), { level: 6, mtime: at })
}
