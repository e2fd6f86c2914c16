/**
 * The subscription's document: one that carries all that the schema offers of a device, until the service rejects it
 * and accepts the documented one.
 */
export interface StreamDocument {
  /** Returns the document to subscribe with. */
  text(): string
  /** Returns the document to try instead of this one after a rejection; null: it is not to blame. */
  insteadOf(text: string): string | null
  /** Records that the service has confirmed a subscription with this document. */
  confirmed(text: string): void
}

/** `offered` returns the document with all that the schema offers; null while that is unknown, or where it is fixed. */
export function createStreamDocument(documented: string, offered: () => string | null): StreamDocument {
  let accepted: string | null = null
  let tried: string | null = null
  let rejected: string | null = null
  const text = () => {
    const full = offered()
    return full === null || full === rejected ? documented : full
  }
  return {
    text,
    insteadOf(each) {
      if (each === documented || each === accepted) return null
      tried = each
      return documented
    },
    confirmed(each) {
      if (each !== documented) accepted = each
      else if (tried !== null && tried !== accepted) rejected = tried
      tried = null
    },
  }
}

/** Returns a document that never changes. */
export const fixedDocument = (text: string): StreamDocument => createStreamDocument(text, () => null)
