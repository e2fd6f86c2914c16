/**
 * How the data thread's request queue orders a call: `read` changes nothing and a person waits for it; `feed` is what services
 * send, as much as they like; `ordered` is everything else.
 */
export type CallOrder = 'read' | 'feed' | 'ordered'
