import { saysOnline, type Device } from './fleet.ts'

/**
 * Computes from the messages alone, without the console's code, which changes could be seen. It gets every event and page
 * as it reaches a running console, knows the device's state in it, and counts how many transitions the journal must have
 * at least. At the end it compares the journal with the truth: each entry is a change of its own, in order, at its event
 * or within its span. So no seen change is missed, and none is entered twice.
 *
 * A page does not count for a device of which an event, or a page that was requested later, has arrived since the page was
 * requested (invariant 10): the console may ignore it. Messages in transit when the console died may be lost.
 */
export interface Oracle {
  /** An event has come in. `order`: place among all events and requests. */
  heard(device: Device, word: number, at: number, order: number): void
  /**
   * A page has arrived that was requested at this position in the order. `isSure`: nothing may prevent its writing.
   * `lists`: it lists the devices; any other page does not count for a device that the console does not know yet.
   */
  read(device: Device, word: number, asked: number, page: { isSure: boolean; lists: boolean }): void
  /** Whether anything has arrived since the journal was last compared. */
  isStirred(device: Device): boolean
  /** Everything that arrived was processed. */
  quiet(device: Device, journal: Journalled): void
  /** The console died, or was ended: messages that it had not processed by then may be lost. */
  ended(device: Device, journal: Journalled): void
  /** Compares the journal with the truth. */
  end(device: Device, journal: Journalled): void
  /** The errors, as text; empty without errors. */
  readonly wrong: string[]
}

/** The journal's entries of a device, oldest first. `last`: its last state, null before the first. */
export interface Journalled {
  last: boolean | null
  entries: readonly Entry[]
}

export interface Entry {
  at: number
  notBefore: number | null
  connected: boolean
}

interface Book {
  /** The states that the journal may hold as true now; empty before the first one. */
  may: Set<boolean>
  /** Entries at the last look, and how many must have come since. */
  base: number
  due: number
  stirred: boolean
  heardWord: number
  heardAt: number
  askedAt: number
  /** When which word came in as an event. */
  events: { word: number; at: number }[]
}

export function newOracle(): Oracle {
  const books = new Map<Device, Book>()
  const wrong: string[] = []
  const of = (device: Device): Book => {
    const known = books.get(device) ?? {
      may: new Set(),
      base: 0,
      due: 0,
      stirred: false,
      heardWord: 0,
      heardAt: -1,
      askedAt: -1,
      events: [],
    }
    books.set(device, known)
    return known
  }
  const mustSay = (book: Book, says: boolean) => {
    if (book.may.size > 0 && !book.may.has(says)) book.due += 1
    book.may = new Set([says])
  }
  const counted = (device: Device, book: Book, { entries }: Journalled, due: number, when: string) => {
    if (entries.length < book.base + due)
      wrong.push(`${device.id}: ${when} the journal has ${entries.length} transitions, ${book.base + due} were seen`)
  }
  const resume = (book: Book, { last, entries }: Journalled) => {
    // Without a last word nothing that came in was kept: what comes next is the first.
    book.may = new Set(last === null ? [] : [last])
    Object.assign(book, { base: entries.length, due: 0, stirred: false })
  }
  return {
    wrong,
    isStirred: (device) => books.get(device)?.stirred === true,
    heard(device, word, at, order) {
      const book = of(device)
      book.events.push({ word, at })
      book.stirred = true
      // Another socket tells it too, or tells it late.
      if (word <= book.heardWord) return
      Object.assign(book, { heardWord: word, heardAt: order })
      mustSay(book, saysOnline(device, word))
    },
    read(device, word, asked, { isSure, lists }) {
      const book = of(device)
      book.stirred = true
      const beaten = asked < book.heardAt || asked < book.askedAt
      book.askedAt = Math.max(book.askedAt, asked)
      if (book.may.size === 0 && !lists) return
      if (isSure && !beaten) mustSay(book, saysOnline(device, word))
      else if (book.may.size > 0) book.may.add(saysOnline(device, word))
    },
    quiet(device, journal) {
      const book = of(device)
      counted(device, book, journal, book.due, 'at rest')
      if (book.may.size > 0 && (journal.last === null || !book.may.has(journal.last)))
        wrong.push(`${device.id}: at rest the last word is ${journal.last}, and ${[...book.may].join()} was seen`)
      resume(book, journal)
    },
    ended(device, journal) {
      const book = of(device)
      counted(device, book, journal, 0, 'after the end')
      resume(book, journal)
    },
    end(device, journal) {
      if (journal.last !== saysOnline(device, device.changes.length))
        wrong.push(`${device.id}: in the end the journal says ${journal.last}`)
      wrong.push(...laidAgainst(device, journal.entries, of(device).events).map((words) => `${device.id}: ${words}`))
    },
  }
}

/** Each entry takes the first change that it can be, behind the one that the entry before took. */
function laidAgainst(device: Device, entries: readonly Entry[], events: Book['events']): string[] {
  const wrong: string[] = []
  let word = 0
  for (const [at, entry] of entries.entries()) {
    const fits = (candidate: number) => {
      const changed = device.changes[candidate - 1] ?? Number.NaN
      if (saysOnline(device, candidate) !== entry.connected) return false
      if (entry.notBefore === null) return events.some((event) => event.word === candidate && event.at === entry.at)
      // A live entry has its event's time: what followed it is told to be later than that.
      const before = Math.max(changed, ...events.filter((event) => event.word < candidate).map((event) => event.at))
      return entry.notBefore <= before && changed <= entry.at
    }
    let next = word + 1
    while (next <= device.changes.length && !fits(next)) next += 1
    if (next <= device.changes.length) word = next
    else
      wrong.push(
        `entry ${at} (${entry.connected ? 'back' : 'gone'}, ${entry.notBefore === null ? 'live' : `not before ${entry.notBefore % 1e8}`}, at ${entry.at % 1e8}) is no change of its own; changes at ${device.changes.map((time) => time % 1e8).join(' ')}`,
      )
  }
  return wrong
}
