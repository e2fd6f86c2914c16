import type { Page } from 'playwright'

/** What is typed into the filter. */
const words = [
  'berlin',
  'studio x',
  'room 4',
  'site:ber',
  'model~studio',
  'connected:no',
  'hamburg',
  'boardroom',
  'x50',
  'zur',
]
/** Milliseconds from a key's press to its release, as people type. */
export const heldMs = 80

/**
 * Types and deletes each word, letter by letter, each key held for `held` ms; resolves with the milliseconds of each
 * letter.
 */
export async function typeWords(page: Page, held: number): Promise<number[]> {
  await page.evaluate(watchLetters)
  await page.getByLabel('Filter devices').focus()
  for (const word of words) {
    for (const letter of word) await pressAndWait(page, letter === ' ' ? 'Space' : letter, held)
    for (const _letter of word) await pressAndWait(page, 'Backspace', held)
  }
  return page.evaluate(() => (globalThis as unknown as { letters: number[] }).letters)
}

async function pressAndWait(page: Page, key: string, held: number): Promise<void> {
  const before = await page.evaluate(() => (globalThis as unknown as { settled: number }).settled)
  const pressed = page.keyboard.press(key, { delay: held })
  await page.waitForFunction((count) => (globalThis as unknown as { settled: number }).settled > count, before, {
    polling: 5,
    timeout: 10_000,
  })
  await pressed
}

/**
 * Runs in the page: records for each input event the time until the frame after the rows changed. The grid's
 * `data-pending` marks rows of the previous query. A letter without a new query (an incomplete filter, another space)
 * is not counted.
 */
function watchLetters(): void {
  const own = globalThis as unknown as { letters?: number[]; settled: number }
  const isWatched = Array.isArray(own.letters)
  own.letters = []
  own.settled = 0
  if (isWatched) return
  const grid = document.querySelector('[role=grid]')
  // The bare page has no pending query; in Muster an age may change without a letter.
  const isBare = !grid?.hasAttribute('data-pending')
  const signature = () =>
    `${grid?.getAttribute('aria-rowcount') ?? ''} ${grid?.querySelectorAll('[role=row]')[1]?.textContent ?? ''} ${grid?.querySelectorAll('[role=row]')[9]?.textContent ?? ''}`
  document.addEventListener(
    'input',
    ({ timeStamp }) => {
      const before = signature()
      let wasPending = false
      const finish = (counts: boolean) => {
        observer.disconnect()
        clearTimeout(timeout)
        requestAnimationFrame(() => {
          const { port1, port2 } = new MessageChannel()
          port1.addEventListener('message', () => {
            if (counts) own.letters?.push(performance.now() - timeStamp)
            own.settled += 1
          })
          port1.start()
          port2.postMessage(null)
        })
      }
      const observer = new MutationObserver(() => {
        const pending = grid?.getAttribute('data-pending') === 'true'
        if (!pending && (wasPending || (isBare && signature() !== before))) finish(true)
        wasPending ||= pending
      })
      if (grid !== null)
        observer.observe(grid, { subtree: true, childList: true, attributes: true, characterData: true })
      const timeout = setTimeout(() => finish(wasPending), 1_000)
    },
    { capture: true },
  )
}
