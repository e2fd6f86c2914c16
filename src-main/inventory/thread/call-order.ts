/**
 * How the data thread's request queue orders a call: a `read` changes nothing and a person waits for it; a `feed`
 * carries data from services, of any amount, or what came of sending to them; `ordered` is everything else.
 */
export type CallOrder = 'read' | 'feed' | 'ordered'
