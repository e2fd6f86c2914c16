/** Hands a text to the browser as a file to be saved; it never leaves this computer. */
export function saveText(name: string, type: string, text: string): void {
  const url = URL.createObjectURL(new Blob([text], { type: `${type};charset=utf-8` }))
  const link = document.createElement('a')
  link.href = url
  link.download = name
  link.click()
  // The browser has taken hold of it by then; at once would be too soon for some.
  setTimeout(() => URL.revokeObjectURL(url), 10_000)
}
